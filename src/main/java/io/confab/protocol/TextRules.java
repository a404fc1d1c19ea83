package io.confab.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The one place that says which text may come from clients. Each rule answers the text to keep
/// or refuses it as `invalid_field`; lengths are in characters (code points).
public final class TextRules {
  private static final Pattern HANDLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{1,31}");
  private static final int NAME_LENGTH = 80;
  private static final int STATUS_LENGTH = 100;
  private static final int ID_LENGTH = 64;

  /// In UTF-8, of a `char`; a pair of them takes four.
  private static final int MOST_BYTES = 3;

  private static final int PASSWORD_MIN = 8;
  private static final int PASSWORD_MAX = 128;

  private TextRules() {}

  /// A handle, folded to lower case.
  public static String handle(String field, String text) {
    if (!HANDLE.matcher(text).matches()) {
      throw Refusal.invalidField(
          field, "2 to 32 of a-z, 0-9, '_', '.', '-', the first a letter or digit");
    }
    return text.toLowerCase(Locale.ROOT);
  }

  /// The same of what somebody typed, if it can be a handle.
  public static Optional<String> findHandle(@Nullable String typed) {
    return Optional.ofNullable(typed)
        .filter(text -> HANDLE.matcher(text).matches())
        .map(text -> text.toLowerCase(Locale.ROOT));
  }

  /// A password: nearly anything, long enough.
  public static String password(String field, String text) {
    int length = text.codePointCount(0, text.length());
    if (length < PASSWORD_MIN || length > PASSWORD_MAX) {
      throw Refusal.invalidField(field, "8 to 128 characters");
    }
    refuse(field, text, TextRules::isSurrogate, "a lone surrogate");
    return text;
  }

  /// What is shown on one line: display names, names of rooms and devices, topics. At most 80
  /// characters, something to see, no control, bidi or line separating characters.
  public static String name(String field, String text) {
    return line(field, text, NAME_LENGTH);
  }

  private static String line(String field, String text, int max) {
    atMost(field, text, max);
    refuse(field, text, TextRules::isSurrogate, "a lone surrogate");
    refuse(field, text, Character::isISOControl, "a control character");
    refuse(field, text, TextRules::isBidiControl, "a control of writing direction");
    refuse(field, text, TextRules::isLineSeparator, "a line separator");
    if (!hasAny(text, TextRules::isVisible)) {
      throw Refusal.invalidField(field, "must not be blank");
    }
    return text;
  }

  /// Running text: descriptions, reasons. At most `max` characters, otherwise as a body.
  public static String text(String field, String text, int max) {
    atMost(field, text, max);
    return content(field, text);
  }

  /// What an account says of itself, as a name of at most 100 characters; empty for nothing, null
  /// where the field is missing.
  public static @Nullable String statusText(Fields fields, String field) {
    String text = fields.optionalText(field);
    return text == null || text.isEmpty() ? text : line(fields.path(field), text, STATUS_LENGTH);
  }

  /// The body of a message: not blank, no lone surrogates, no control characters other than
  /// newline and tab. One of more than `maxBytes` in UTF-8 is refused as `too_large`.
  public static String body(String field, String text, int maxBytes) {
    if (text.length() > maxBytes / MOST_BYTES
        && (text.length() > maxBytes || text.getBytes(StandardCharsets.UTF_8).length > maxBytes)) {
      throw new Refusal(ErrorCode.TOO_LARGE, field, "at most " + maxBytes + " bytes");
    }
    return content(field, text);
  }

  /// Whether the text holds no half of a surrogate pair.
  public static boolean isWhole(String text) {
    return !hasAny(text, TextRules::isSurrogate);
  }

  private static String content(String field, String text) {
    refuse(field, text, TextRules::isSurrogate, "a lone surrogate");
    refuse(
        field,
        text,
        c -> Character.isISOControl(c) && c != '\n' && c != '\t',
        "a control character");
    if (!hasAny(text, TextRules::isVisible)) {
      throw Refusal.invalidField(field, "must not be blank");
    }
    return text;
  }

  /// An id that a client makes (`client_id`, `device_id`): 1 to 64 printable ASCII characters.
  public static String clientMade(String field, String text) {
    if (text.isEmpty() || text.length() > ID_LENGTH) {
      throw Refusal.invalidField(field, "1 to 64 characters");
    }
    refuse(field, text, c -> c < 0x20 || c > 0x7e, "more than printable ASCII");
    return text;
  }

  private static void atMost(String field, String text, int max) {
    if (text.codePointCount(0, text.length()) > max) {
      throw Refusal.invalidField(field, "at most " + max + " characters");
    }
  }

  private static void refuse(String field, String text, IntPredicate forbidden, String what) {
    if (hasAny(text, forbidden)) {
      throw Refusal.invalidField(field, "holds " + what);
    }
  }

  /// Whether a code point of the text is such. A loop, as all that comes goes through several, and
  /// a stream for each costs more than the look (docs/performance.md).
  private static boolean hasAny(String text, IntPredicate such) {
    int c;
    for (int i = 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      if (such.test(c)) {
        return true;
      }
    }
    return false;
  }

  /// Pairs are one code point, so a surrogate that is left stands alone.
  static boolean isSurrogate(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private static boolean isBidiControl(int c) {
    return c == 0x061c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }

  private static boolean isLineSeparator(int c) {
    return c == 0x2028 || c == 0x2029;
  }

  private static boolean isVisible(int c) {
    return !isSpace(c) && !isInvisible(c);
  }

  private static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  /// Format characters and the letters that show nothing: Hangul fillers, the empty Braille
  /// cell.
  private static boolean isInvisible(int c) {
    return Character.getType(c) == Character.FORMAT
        || c == 0x115f
        || c == 0x1160
        || c == 0x3164
        || c == 0xffa0
        || c == 0x2800;
  }
}
