package io.confab.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;

/// Each read is a text.
final class PlainFraming implements Framing {
  /// What was said next.
  static String said(EmbeddedChannel channel) {
    ByteBuf out = channel.readOutbound();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void begin(Line line) {
    line.opened();
  }

  @Override
  public void read(ByteBuf in, Line line) {
    int length = in.readableBytes();
    int at = in.readerIndex();
    in.skipBytes(length);
    line.heard(in, at, length);
  }

  @Override
  public ByteBuf frame(byte[] text, Line line) {
    return Unpooled.wrappedBuffer(text);
  }
}
