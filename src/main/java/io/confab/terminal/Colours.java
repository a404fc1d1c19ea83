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
      Pattern.compile("(\\d\\d:\\d\\d #\\d+ (?:✓ )?)([^ ]+): (.*)");
  private static final Pattern NOTE =
      Pattern.compile("(\\d\\d:\\d\\d )?\\* .*|—— .* ——", Pattern.DOTALL);
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
    if (text.startsWith("✗") || text.startsWith("◷")) {
      return new AttributedString(text, REFUSAL);
    }
    if (NOTE.matcher(text).matches()) {
      return new AttributedString(text, FAINT);
    }
    Matcher message = MESSAGE.matcher(text);
    return message.matches() ? message(message) : new AttributedString(text);
  }

  private static AttributedString message(Matcher parts) {
    String person = parts.group(2);
    int colour = PEOPLE[Math.floorMod(person.hashCode(), PEOPLE.length)];
    return new AttributedStringBuilder()
        .styled(FAINT, parts.group(1))
        .styled(AttributedStyle.BOLD.foreground(colour), person)
        .append(": ")
        .append(parts.group(3))
        .toAttributedString();
  }

  AttributedString status(String text) {
    return on
        ? new AttributedString(text, AttributedStyle.INVERSE)
        : new AttributedString("[" + text + "]");
  }
}
