package io.confab.protocol;

import java.nio.charset.StandardCharsets;

/// The text form of a 63-bit id: 13 lower-case characters of Crockford's base 32, most significant
/// first, so that text order is number order.
final class IdText {
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 13;
  private static final int BITS = 5;

  private IdText() {}

  static String encode(long id) {
    byte[] text = new byte[LENGTH];
    long rest = id;
    for (int i = LENGTH - 1; i >= 0; i--) {
      text[i] = (byte) DIGITS.charAt((int) (rest & 31));
      rest >>>= BITS;
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /// The id that `text` stands for. Text that stands for none is refused like an id that does not
  /// exist: ids are opaque to clients.
  static long decode(String text) {
    if (text.length() != LENGTH) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such id");
    }
    long id = 0;
    for (int i = 0; i < LENGTH; i++) {
      int digit = DIGITS.indexOf(text.charAt(i));
      if (digit < 0 || (i == 0 && digit > 7)) {
        throw new Refusal(ErrorCode.NOT_FOUND, "no such id");
      }
      id = (id << BITS) | digit;
    }
    return id;
  }
}
