package io.confab.socket;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads as the product does, and takes whole binary messages besides, which the product refuses.
final class EchoReader implements Wire.Reader {
  private final MessageReader texts;
  private final int mostBytes;
  private final Consumer<byte[]> binary;
  private @Nullable ByteArrayOutputStream partial;

  EchoReader(int mostBytes, Consumer<byte[]> binary) {
    this.texts = new MessageReader(mostBytes);
    this.mostBytes = mostBytes;
    this.binary = binary;
  }

  @Override
  public @Nullable Incoming read(ByteBuf in) {
    FrameHeader header = FrameHeader.peek(in);
    if (header == null) {
      return null;
    }
    boolean begins = header.opcode() == FrameHeader.BINARY;
    if (header.isControl() || (!begins && partial == null)) {
      return texts.read(in);
    }
    if (partial != null && header.opcode() != FrameHeader.CONTINUATION) {
      throw FrameHeader.malformed("a message begins within another");
    }
    if (header.payload() > mostBytes) {
      throw new AssertionError("the suite sends no such frame");
    }
    return in.readableBytes() - header.bytes() < header.payload() ? null : take(header, in);
  }

  private Incoming take(FrameHeader header, ByteBuf in) {
    byte[] payload = new byte[(int) header.payload()];
    in.skipBytes(header.bytes()).readBytes(payload);
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= (byte) (header.mask() >> (Byte.SIZE * (3 - (i & 3))));
    }
    ByteArrayOutputStream message = partial == null ? new ByteArrayOutputStream() : partial;
    message.writeBytes(payload);
    partial = header.isLast() ? null : message;
    if (header.isLast()) {
      binary.accept(message.toByteArray());
    }
    return new Incoming.Part();
  }
}
