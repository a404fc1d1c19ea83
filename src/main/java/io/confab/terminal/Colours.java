package io.confab.terminal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/// The colours of lines, which follow from their text, so that they say nothing that the text does
/// not say too. What others wrote stands behind a name or is indented: it cannot colour anything.
final class Colours {
  private static final Pattern MESSAGE =
      Pattern.compile(
          "(\\d\\d:\\d\\d #\\d+ (?:🔒 )?(?:⚠ not sealed: )?(?:✓{1,2} |@ )?)([^ ]+): (.*)");
  private static final Pattern NOTE =
      Pattern.compile("(\\d\\d:\\d\\d )?\\* .*|—— .* ——", Pattern.DOTALL);
  private static final Pattern MENTIONING =
      Pattern.compile("(  [^ ].*  \\d+ unread )(\\(@\\d+\\))");
  private static final AttributedStyle MENTION =
      AttributedStyle.BOLD.foreground(AttributedStyle.YELLOW);
  private static final AttributedStyle FAINT = AttributedStyle.DEFAULT.faint();
  private static final AttributedStyle REFUSAL =
      AttributedStyle.DEFAULT.foreground(AttributedStyle.RED);
  private static final int[] PEOPLE = {
    AttributedStyle.GREEN,
    AttributedStyle.YELLOW,
    AttributedStyle.BLUE,
    AttributedStyle.MAGENTA,
    AttributedStyle.CYAN
  };

  private final boolean on;

  Colours(boolean on) {
    this.on = on;
  }

  AttributedString line(String text) {
    if (!on) {
      return new AttributedString(text);
    }
    if (text.startsWith("✗") || text.startsWith("◷") || text.startsWith("⚠")) {
      return new AttributedString(text, REFUSAL);
    }
    if (NOTE.matcher(text).matches()) {
      return new AttributedString(text, FAINT);
    }
    Matcher message = MESSAGE.matcher(text);
    if (message.matches()) {
      return message(message);
    }
    Matcher room = MENTIONING.matcher(text);
    return room.matches() ? mentioning(room) : new AttributedString(text);
  }

  private static AttributedString mentioning(Matcher parts) {
    return new AttributedStringBuilder()
        .append(parts.group(1))
        .styled(MENTION, parts.group(2))
        .toAttributedString();
  }

  private static AttributedString message(Matcher parts) {
    String person = parts.group(2);
    boolean isMention = parts.group(1).endsWith("@ ");
    int colour = PEOPLE[Math.floorMod(person.hashCode(), PEOPLE.length)];
    return new AttributedStringBuilder()
        .styled(isMention ? MENTION : FAINT, parts.group(1))
        .styled(AttributedStyle.BOLD.foreground(colour), person)
        .append(": ")
        .styled(isMention ? AttributedStyle.BOLD : AttributedStyle.DEFAULT, parts.group(3))
        .toAttributedString();
  }

  AttributedString status(String text) {
    return on
        ? new AttributedString(text, AttributedStyle.INVERSE)
        : new AttributedString("[" + text + "]");
  }
}
