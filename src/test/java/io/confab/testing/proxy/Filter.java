package io.confab.testing.proxy;

import java.io.IOException;
import java.util.Arrays;

/// What the bytes of one connection become; everything passes unless a filter says otherwise. It
/// may hold back a piece that is not whole yet. Each direction has one thread.
public interface Filter {
  /// @throws IOException to have the connection reset
  default byte[] toServer(byte[] bytes) throws IOException {
    return bytes;
  }

  /// @throws IOException to have the connection reset
  default byte[] toClient(byte[] bytes) throws IOException {
    return bytes;
  }

  /// Passes everything on.
  static Filter none() {
    return new Filter() {};
  }

  /// Adds to what was held back.
  static byte[] join(byte[] held, byte[] more) {
    byte[] all = Arrays.copyOf(held, held.length + more.length);
    System.arraycopy(more, 0, all, held.length, more.length);
    return all;
  }
}
