package io.confab.bench;

import io.netty.buffer.ByteBuf;

/// What one person says to a server and understands of its answers. It outlives connections.
interface Speech {
  /// Texts can be exchanged.
  void opened(Line line);

  /// A text came: `length` bytes of `in` from `at`.
  void heard(ByteBuf in, int at, int length, Line line);

  /// A message with the token in it.
  byte[] message(int room, String token);
}
