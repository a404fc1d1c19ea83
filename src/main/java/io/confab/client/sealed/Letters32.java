package io.confab.client.sealed;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/// Bytes as letters and digits that people do not mistake for each other, five bits each
/// (https://www.crockford.com/base32.html). Whole letters alone: five bytes make eight.
final class Letters32 {
  private static final String LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int BITS = 5;

  private Letters32() {}

  static String of(byte[] bytes) {
    BigInteger rest = new BigInteger(1, bytes);
    StringBuilder letters = new StringBuilder();
    for (int bits = 0; bits < bytes.length * Byte.SIZE; bits += BITS) {
      letters.append(LETTERS.charAt(rest.intValue() & ((1 << BITS) - 1)));
      rest = rest.shiftRight(BITS);
    }
    return letters.reverse().toString();
  }

  static String grouped(String letters, int group) {
    return letters.replaceAll("(.{%d})(?=.)".formatted(group), "$1-");
  }

  /// The letters that a person typed, without what parts them; of those that look alike the one
  /// that is meant.
  static String plain(String typed) {
    return typed
        .replaceAll("[\\s-]", "")
        .toUpperCase(Locale.ROOT)
        .replace('O', '0')
        .replace('I', '1')
        .replace('L', '1');
  }

  /// Empty: they are no letters of these, or make another number of bytes.
  static Optional<byte[]> read(String typed, int length) {
    String letters = plain(typed);
    if (letters.length() * BITS != length * Byte.SIZE) {
      return Optional.empty();
    }
    BigInteger all = BigInteger.ZERO;
    for (int i = 0; i < letters.length(); i++) {
      int value = LETTERS.indexOf(letters.charAt(i));
      if (value < 0) {
        return Optional.empty();
      }
      all = all.shiftLeft(BITS).or(BigInteger.valueOf(value));
    }
    byte[] bytes = new byte[length];
    for (int i = bytes.length - 1; i >= 0; i--) {
      bytes[i] = all.byteValue();
      all = all.shiftRight(Byte.SIZE);
    }
    return Optional.of(bytes);
  }
}
