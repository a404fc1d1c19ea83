package io.confab.protocol;

import java.nio.charset.StandardCharsets;

/// Which text people may write (spec §2.7). Text is never altered, only refused.
public final class TextRules {
  /// Most characters of a display name, room name, topic, device name or platform.
  private static final int NAME_LENGTH = 80;

  private TextRules() {}

  /// A message body: not blank, whole Unicode, no control characters but newline and tab.
  public static String body(String field, String text, int maxBytes) {
    if (text.length() > maxBytes || text.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new Refusal(ErrorCode.TOO_LARGE, field, "is longer than " + maxBytes + " bytes");
    }
    requireVisible(field, text);
    text.codePoints().forEach(c -> requireContent(field, c));
    return text;
  }

  /// A name of something: besides, no line breaks and no bidi controls, at most 80 characters.
  public static String name(String field, String text) {
    return line(field, text, NAME_LENGTH);
  }

  /// One line of text of a given most length in characters.
  public static String line(String field, String text, int length) {
    requireLength(field, text, length);
    requireVisible(field, text);
    text.codePoints()
        .forEach(
            c -> {
              requireContent(field, c);
              if (c == '\n' || c == '\t' || isBidiControl(c)) {
                throw Refusal.invalidField(field, "holds a control character");
              }
            });
    return text;
  }

  /// Text of several lines and a given most length in characters, such as a description.
  public static String lines(String field, String text, int length) {
    requireLength(field, text, length);
    requireVisible(field, text);
    text.codePoints().forEach(c -> requireContent(field, c));
    return text;
  }

  /// Whether the text holds no half of a surrogate pair.
  static boolean isWhole(String text) {
    return text.codePoints().noneMatch(TextRules::isSurrogate);
  }

  private static boolean isSurrogate(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private static void requireLength(String field, String text, int length) {
    if (text.codePointCount(0, text.length()) > length) {
      throw Refusal.invalidField(field, "is longer than " + length + " characters");
    }
  }

  private static void requireVisible(String field, String text) {
    if (text.codePoints().allMatch(TextRules::isBlank)) {
      throw Refusal.invalidField(field, "is blank");
    }
  }

  private static void requireContent(String field, int c) {
    if (isSurrogate(c)) {
      throw Refusal.invalidField(field, "holds half a surrogate pair");
    }
    if (Character.getType(c) == Character.CONTROL && c != '\n' && c != '\t') {
      throw Refusal.invalidField(field, "holds a control character");
    }
  }

  private static boolean isBlank(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || isInvisible(c);
  }

  /// Zero-width characters, which show nothing by themselves.
  private static boolean isInvisible(int c) {
    return c == 0x200B || c == 0x200C || c == 0x200D || c == 0x2060 || c == 0xFEFF;
  }

  /// Unicode's Bidi_Control characters.
  private static boolean isBidiControl(int c) {
    return c == 0x061C
        || c == 0x200E
        || c == 0x200F
        || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x2069);
  }
}
