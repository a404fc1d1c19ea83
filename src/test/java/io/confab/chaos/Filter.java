package io.confab.chaos;

import java.util.Arrays;

/// What bytes of one direction of a connection become. For one thread; it may hold back a piece
/// that is not whole yet.
interface Filter {
  byte[] through(byte[] bytes);

  /// Passes everything on.
  static Filter none() {
    return bytes -> bytes;
  }

  /// Adds to what was held back.
  static byte[] join(byte[] held, byte[] more) {
    byte[] all = Arrays.copyOf(held, held.length + more.length);
    System.arraycopy(more, 0, all, held.length, more.length);
    return all;
  }
}
