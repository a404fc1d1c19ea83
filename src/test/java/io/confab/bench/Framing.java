package io.confab.bench;

import io.netty.buffer.ByteBuf;

/// How texts stand in the bytes of one connection, as a client sees it.
interface Framing {
  /// The connection is there.
  void begin(Line line);

  /// Takes all whole texts out of `in` and hands them to the line; leaves the rest.
  void read(ByteBuf in, Line line);

  ByteBuf frame(byte[] text, Line line);
}
