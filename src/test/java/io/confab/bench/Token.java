package io.confab.bench;

import io.netty.buffer.ByteBuf;

/// The number of a message as it stands in what is said: found by its bytes, without reading what
/// is around it.
final class Token {
  static final int NONE = -1;

  private static final byte SIGN = '~';
  private static final int DIGITS = 9;

  private Token() {}

  static String text(int number) {
    String digits = Integer.toString(number);
    return "~" + "0".repeat(DIGITS - digits.length()) + digits;
  }

  /// The first one in a part of a buffer, or [#NONE].
  static int find(ByteBuf in, int from, int length) {
    int at = in.indexOf(from, from + length, SIGN);
    if (at < 0 || at + DIGITS >= from + length) {
      return NONE;
    }
    int number = 0;
    for (int i = 1; i <= DIGITS; i++) {
      number = number * 10 + in.getByte(at + i) - '0';
    }
    return number;
  }
}
