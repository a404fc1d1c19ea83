package io.confab.terminal;

import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Doubt;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Compares emoji with somebody: both people tell each other what they see, by another way than
/// this one, and say whether it is the same. Anybody of a sealed room may begin one at any moment,
/// so the person names whom they mean. For the thread of a chat.
final class EmojiDialog {
  private final SealedAccess sealed;
  private final Function<AccountId, String> names;
  private final Screen screen;

  /// Of each person the one whose emoji came last.
  private final Map<AccountId, Comparison> shown = new LinkedHashMap<>();

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

  /// The person says whether somebody sees the same, by the name that stood beside the emoji: whom
  /// the server calls so by now does not count. Blocks.
  void matches(String handle, boolean same) throws IOException {
    String bare = handle.startsWith("@") ? handle.substring(1) : handle;
    List<Comparison> meant =
        shown.values().stream().filter(one -> who(one).equalsIgnoreCase(bare)).toList();
    if (meant.isEmpty()) {
      throw new IOException(
          "there are no emoji of %1$s to compare; /verify %1$s begins".formatted(bare));
    }
    if (meant.size() > 1) {
      throw new IOException("more than one is called %s, so nobody is verified".formatted(bare));
    }
    Comparison one = meant.getFirst();
    if (sealed.matches(one.with(), one.id(), same).await().isEmpty()) {
      screen.line("* this comparison has ended; /verify begins another one");
    }
    end(one);
  }

  private String who(Comparison one) {
    return names.apply(one.with().accountId());
  }

  /// Where a comparison stands.
  void step(Comparison step) {
    String who = who(step);
    switch (step.stage()) {
      case WAITING -> screen.line("* comparing emoji with %s …".formatted(who));
      case SHOWN -> show(step, who);
      case CONFIRMED -> screen.line("* waiting until %s says so too".formatted(who));
      case VERIFIED -> {
        end(step);
        screen.line("* %s is verified".formatted(who));
      }
      case ENDED -> {
        end(step);
        screen.line(ended(step.doubt()).formatted(who));
      }
    }
  }

  private static String ended(@Nullable Doubt doubt) {
    if (doubt == null) {
      return "✗ the comparison with %s was left or took too long; nobody is verified by it";
    }
    return doubt == Doubt.DIFFERENT
        ? "⚠ you and %1$s do not see the same: somebody may stand between you, so say nothing there"
            + " that others must not read; /verify %1$s begins once more"
        : "⚠ the comparison with %s ended by a step that is not believed ("
            + SealedNotices.words(doubt)
            + "): somebody may stand between you; nobody is verified by it";
  }

  private void show(Comparison step, String who) {
    shown.put(step.with().accountId(), step);
    screen.line("* Tell %s by another way, such as face to face, what stands here:".formatted(who));
    step.emojis().forEach(emoji -> screen.line("    " + Plain.line(emoji)));
    screen.line(
        "* /match %1$s if %1$s sees the same in this order, /differ %1$s if not".formatted(who));
  }

  private void end(Comparison step) {
    shown.computeIfPresent(
        step.with().accountId(),
        (_, one) -> one.with().equals(step.with()) && one.id().equals(step.id()) ? null : one);
  }
}
