package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.LinkStep.Role;
import io.confab.client.sealed.LinkStep.Stage;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealedroom.SealedListener;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class SealedEarsTest {
  private static final RoomDevice LAPTOP =
      new RoomDevice(new AccountId(11), new DeviceId("x1"), new RegistrationId(1));

  private final ChatQueue queue = new ChatQueue();
  private int told;
  private final SealedEars ears =
      new SealedEars(
          queue,
          () -> {
            told++;
            throw new IllegalStateException("nobody listens");
          });

  private void linked(Stage stage) {
    ears.linked(new LinkStep(stage, Role.OLD, LAPTOP, List.of(), 0, 0));
  }

  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"OFFERED", "MOVING"})
  void ofWhatOthersMaySendWithoutEndTheRestIsLeftOut(Stage stage) {
    for (int i = 0; i < 20_000; i++) {
      linked(stage);
    }
    assertThat(queue.takeLeftOut()).isPositive();
    assertThat(told).isZero();
    linked(Stage.DONE);
    assertThat(queue.takeLeftOut()).isZero();
  }

  /// What it does not take is lost without a word.
  @Test
  void allThatIsToldIsTaken() {
    assertThat(SealedListener.class.getMethods())
        .extracting(Method::getName)
        .isSubsetOf(
            Arrays.stream(SealedEars.class.getDeclaredMethods()).map(Method::getName).toList());
  }
}
