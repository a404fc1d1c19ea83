package io.confab.bus;

import java.nio.ByteBuffer;

/// How long packets of Hazelcast on one connection say they are. Each begins with a version of one
/// byte, flags of two, a partition of four and its length of four.
final class PacketLengths {
  private static final int HEAD = 11;
  private static final int LENGTH_AT = 7;

  private final int most;
  private int awaited;

  PacketLengths(int most) {
    this.most = most;
  }

  /// Follows what has come. A head that is not complete is left, and has to come again with the
  /// rest of it, as the decoder of Hazelcast leaves it.
  void check(ByteBuffer read) {
    while (true) {
      int passed = Math.min(awaited, read.remaining());
      read.position(read.position() + passed);
      awaited -= passed;
      if (read.remaining() < HEAD) {
        return;
      }
      awaited = read.getInt(read.position() + LENGTH_AT);
      if (awaited < 0 || awaited > most) {
        throw new IllegalArgumentException("a packet of %d bytes".formatted(awaited));
      }
      read.position(read.position() + HEAD);
    }
  }
}
