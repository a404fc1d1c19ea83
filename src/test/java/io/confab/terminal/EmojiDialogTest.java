package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.ApiException;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Comparison.Stage;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.RoomDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class EmojiDialogTest {
  private static final RoomDevice PHONE =
      new RoomDevice(new AccountId(11), new DeviceId("phone"), new RegistrationId(1));

  private static final RoomDevice EVE =
      new RoomDevice(new AccountId(12), new DeviceId("evil"), new RegistrationId(2));
  private static final RoomDevice OTHER_BEN =
      new RoomDevice(new AccountId(13), new DeviceId("other"), new RegistrationId(3));

  private final StringWriter out = new StringWriter();
  private final List<String> said = new ArrayList<>();
  private final EmojiDialog dialog =
      new EmojiDialog(
          new Rooms(),
          who -> who.equals(EVE.accountId()) ? "eve" : "ben",
          new PlainScreen(new PrintWriter(out), false));

  private final class Rooms implements SealedAccess {
    @Override
    public Future<Optional<Comparison>> matches(RoomDevice with, String id, boolean same) {
      said.add("%s %s %s".formatted(with.deviceId().value(), id, same));
      if (id.equals("fails")) {
        return Future.failedFuture(ApiException.local("closed", "offline"));
      }
      return Future.succeededFuture(
          id.equals("over") ? Optional.empty() : Optional.of(step(id, Stage.CONFIRMED)));
    }
  }

  private static Comparison step(String id, Stage stage, String... emojis) {
    return step(PHONE, id, stage, emojis);
  }

  private static Comparison step(RoomDevice with, String id, Stage stage, String... emojis) {
    return new Comparison(id, with, stage, List.of(emojis), List.of(), null);
  }

  @Test
  void thePersonSeesTheEmojiAndSaysOnceWhetherTheyAreTheSame() throws IOException {
    dialog.step(step("one", Stage.WAITING));
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog", "🔑 Key"));
    assertThat(out.toString())
        .contains("comparing emoji with ben", "    🐶 Dog\n    🔑 Key\n", "/match ben if ben sees");

    dialog.matches("@Ben", true);

    assertThat(said).containsExactly("phone one true");
    assertThatThrownBy(() -> dialog.matches("ben", true))
        .hasMessageContaining("no emoji of ben to compare");
    dialog.step(step("one", Stage.VERIFIED));
    assertThat(out.toString()).contains("* ben is verified");
  }

  @Test
  void whoComesInBetweenIsNotTakenForTheOneWhoIsMeant() throws IOException {
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog"));
    dialog.step(step(EVE, "one", Stage.SHOWN, "🐱 Cat"));

    dialog.matches("ben", true);
    assertThat(said).containsExactly("phone one true");
    dialog.step(step("one", Stage.VERIFIED));
    dialog.matches("eve", false);
    assertThat(said).containsExactly("phone one true", "evil one false");
  }

  @Test
  void twoOfTheSameNameAreNotToldApart() {
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog"));
    dialog.step(step(OTHER_BEN, "two", Stage.SHOWN, "🐱 Cat"));

    assertThatThrownBy(() -> dialog.matches("ben", true)).hasMessageContaining("more than one");
    assertThat(said).isEmpty();
  }

  @Test
  void whatHasEndedIsNotSaidAnythingAbout() {
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog"));
    dialog.step(step("one", Stage.ENDED));

    assertThat(out.toString()).contains("✗ the comparison with ben was left or took too long");
    assertThatThrownBy(() -> dialog.matches("ben", false)).isInstanceOf(IOException.class);
    assertThat(said).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"DIFFERENT,you and ben do not see the same", "BAD_SIGNATURE,(bad signature)"})
  void thatSomebodyMayStandBetweenThemIsTold(Doubt doubt, String words) {
    dialog.step(new Comparison("one", PHONE, Stage.ENDED, List.of(), List.of(), doubt));

    assertThat(out.toString()).startsWith("⚠").contains(words, "somebody may stand between you");
  }

  @Test
  void theEndOfAnotherComparisonLeavesTheOneThatIsShown() throws IOException {
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog"));
    dialog.step(step("two", Stage.ENDED));
    dialog.step(step(EVE, "one", Stage.ENDED));

    dialog.matches("ben", false);
    assertThat(said).containsExactly("phone one false");
  }

  @Test
  void whatWasNotHeardCanBeSaidAgain() {
    dialog.step(step("fails", Stage.SHOWN, "🐶 Dog"));

    assertThatThrownBy(() -> dialog.matches("ben", true)).hasMessageContaining("offline");
    assertThatThrownBy(() -> dialog.matches("ben", true)).hasMessageContaining("offline");
    assertThat(said).hasSize(2);
  }

  @Test
  void anAnswerThatComesTooLateIsTold() throws IOException {
    dialog.step(step("over", Stage.SHOWN, "🐶 Dog"));

    dialog.matches("ben", true);
    assertThat(out.toString()).contains("* this comparison has ended");
  }
}
