package io.confab.terminal;

import io.confab.client.sealed.Comparison;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Compares emoji with somebody: both people tell each other what they see, by another way than
/// this one, and say whether it is the same. One comparison is before the person at a time, the
/// last that came. For the thread of a chat.
final class EmojiDialog {
  private final SealedAccess sealed;
  private final Function<AccountId, String> names;
  private final Screen screen;
  private @Nullable Comparison shown;

  /// @param names safe to print
  EmojiDialog(SealedAccess sealed, Function<AccountId, String> names, Screen screen) {
    this.sealed = sealed;
    this.names = names;
    this.screen = screen;
  }

  /// Begins with the newest device of somebody. Blocks while it asks.
  void begin(AccountId with) {
    sealed.verify(with).await();
  }

  /// The person says whether both see the same. Blocks.
  void matches(boolean same) throws IOException {
    Comparison now = shown;
    if (now == null) {
      throw new IOException("there are no emoji to compare; /verify HANDLE begins");
    }
    shown = null;
    if (sealed.matches(now.id(), same).await().isEmpty()) {
      screen.line("* this comparison has ended; /verify begins another one");
    }
  }

  /// Where a comparison stands.
  void step(Comparison step) {
    String who = names.apply(step.with().accountId());
    switch (step.stage()) {
      case WAITING -> screen.line("* %s is asked to compare emoji".formatted(who));
      case SHOWN -> show(step, who);
      case CONFIRMED -> screen.line("* waiting until %s says so too".formatted(who));
      case VERIFIED -> {
        end(step);
        screen.line("* %s is verified".formatted(who));
      }
      case ENDED -> {
        end(step);
        screen.line(
            "✗ the comparison with %s came to nothing; nobody is verified by it".formatted(who));
      }
    }
  }

  private void show(Comparison step, String who) {
    shown = step;
    screen.line("* Tell %s by another way, such as face to face, what stands here:".formatted(who));
    step.emojis().forEach(emoji -> screen.line("    " + Plain.line(emoji)));
    screen.line("* /match if %s sees the same in this order, /differ if not".formatted(who));
  }

  private void end(Comparison step) {
    if (shown != null && shown.id().equals(step.id())) {
      shown = null;
    }
  }
}
