package io.confab.screen;

import java.util.List;
import java.util.stream.Collectors;

/// Makes text of others safe to print: no character is left in it that a terminal takes for a
/// command, that changes the direction of writing, or that hides text.
public final class Plain {
  private static final String TAB = "    ";

  private Plain() {}

  /// Text for one line: control characters and those of writing direction as `<U+1B>`, line ends as
  /// `⏎`, tabs as blanks.
  public static String line(String text) {
    return lines(text).stream().collect(Collectors.joining(" ⏎ "));
  }

  /// The lines of a body, each safe to print; at least one.
  public static List<String> lines(String text) {
    return text.lines().map(Plain::shown).toList().isEmpty()
        ? List.of("")
        : text.lines().map(Plain::shown).toList();
  }

  private static String shown(String line) {
    StringBuilder shown = new StringBuilder(line.length());
    line.codePoints().forEach(c -> append(shown, c));
    return shown.toString();
  }

  private static void append(StringBuilder shown, int c) {
    if (c == '\t') {
      shown.append(TAB);
    } else if (isUnsafe(c)) {
      shown.append("<U+%X>".formatted(c));
    } else {
      shown.appendCodePoint(c);
    }
  }

  /// Whether a character must not be printed. Zero width joiners may: emoji are made of them.
  private static boolean isUnsafe(int c) {
    return Character.isISOControl(c)
        || (Character.getType(c) == Character.FORMAT && c != 0x200c && c != 0x200d)
        || Character.getType(c) == Character.SURROGATE
        || c == 0x2028
        || c == 0x2029;
  }
}
