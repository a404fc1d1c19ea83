package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.OwnDevice;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceNamesTest {
  private static final DeviceId LAPTOP = new DeviceId("x1");
  private static final DeviceId OTHER = new DeviceId("x2");

  private final ChatQueue queue = new ChatQueue();
  private final List<String> learned = new ArrayList<>();
  private Future<List<OwnDevice>> answer =
      Future.succeededFuture(
          List.of(new OwnDevice(LAPTOP, "lap\u001btop", "linux", false, 0, null, null, null)));
  private int lists;
  private final DeviceNames names =
      new DeviceNames(
          () -> {
            lists++;
            return answer;
          },
          queue);

  private void learn(DeviceId device) {
    names.learn(device, () -> learned.add(names.of(device)));
  }

  @Test
  void aNameIsAskedForOnceAndTheThreadDoesNotWait() {
    learn(LAPTOP);
    assertThat(learned).isEmpty();
    assertThat(names.of(LAPTOP)).isEqualTo("x1");
    queue.runAll();
    learn(LAPTOP);

    assertThat(learned).containsExactly("lap<U+1B>top (x1)", "lap<U+1B>top (x1)");
    assertThat(lists).isEqualTo(1);
  }

  @Test
  void whereTheServerDoesNotSayItTheIdStandsAlone() {
    learn(OTHER);
    queue.runAll();
    answer = Future.failedFuture(ApiException.local("unreachable", "nobody answers"));
    learn(OTHER);
    queue.runAll();

    assertThat(learned).containsExactly("x2", "x2");
  }

  @Test
  void whatWasReadOnceNeedsNoOtherList() {
    names.read();
    queue.runAll();
    learn(LAPTOP);

    assertThat(learned).containsExactly("lap<U+1B>top (x1)");
    assertThat(lists).isEqualTo(1);
  }
}
