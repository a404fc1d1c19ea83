package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Comparison.Stage;
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

@Timeout(10)
class EmojiDialogTest {
  private static final RoomDevice PHONE =
      new RoomDevice(new AccountId(11), new DeviceId("phone"), new RegistrationId(1));

  private final StringWriter out = new StringWriter();
  private final List<String> said = new ArrayList<>();
  private final EmojiDialog dialog =
      new EmojiDialog(new Rooms(), _ -> "ben", new PlainScreen(new PrintWriter(out), false));

  private final class Rooms implements SealedAccess {
    @Override
    public Future<Optional<Comparison>> matches(String comparison, boolean same) {
      said.add(comparison + " " + same);
      return Future.succeededFuture(
          comparison.equals("over")
              ? Optional.empty()
              : Optional.of(step(comparison, Stage.CONFIRMED)));
    }
  }

  private static Comparison step(String id, Stage stage, String... emojis) {
    return new Comparison(id, PHONE, stage, List.of(emojis), List.of(), null);
  }

  @Test
  void thePersonSeesTheEmojiAndSaysOnceWhetherTheyAreTheSame() throws IOException {
    dialog.step(step("one", Stage.WAITING));
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog", "🔑 Key"));
    assertThat(out.toString())
        .contains("ben is asked to compare", "    🐶 Dog\n    🔑 Key\n", "/match if ben sees");

    dialog.matches(true);

    assertThat(said).containsExactly("one true");
    assertThatThrownBy(() -> dialog.matches(true)).hasMessageContaining("no emoji to compare");
    dialog.step(step("one", Stage.VERIFIED));
    assertThat(out.toString()).contains("* ben is verified");
  }

  @Test
  void whatHasEndedIsNotSaidAnythingAbout() {
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog"));
    dialog.step(step("one", Stage.ENDED));

    assertThat(out.toString()).contains("✗ the comparison with ben came to nothing");
    assertThatThrownBy(() -> dialog.matches(false)).isInstanceOf(IOException.class);
    assertThat(said).isEmpty();
  }

  @Test
  void theEndOfAnotherComparisonLeavesTheOneThatIsShown() throws IOException {
    dialog.step(step("one", Stage.SHOWN, "🐶 Dog"));
    dialog.step(step("two", Stage.ENDED));

    dialog.matches(false);
    assertThat(said).containsExactly("one false");
  }

  @Test
  void anAnswerThatComesTooLateIsTold() throws IOException {
    dialog.step(step("over", Stage.SHOWN, "🐶 Dog"));

    dialog.matches(true);
    assertThat(out.toString()).contains("* this comparison has ended");
  }
}
