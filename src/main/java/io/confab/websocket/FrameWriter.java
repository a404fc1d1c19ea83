package io.confab.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Makes frames as they leave a server: unmasked and whole (RFC 6455 §5.2).
public final class FrameWriter {
  private static final int LAST = 0x80;
  private static final int LENGTH_IN_16_BITS = 126;
  private static final int LENGTH_IN_64_BITS = 127;
  private static final int HEADER = 10;
  private static final int CODE_BYTES = 2;

  private FrameWriter() {}

  /// The caller owns the answer.
  public static ByteBuf text(byte[] text, ByteBufAllocator allocator) {
    return frame(FrameHeader.TEXT, text, allocator);
  }

  /// The caller owns the answer.
  public static ByteBuf frame(int opcode, byte[] payload, ByteBufAllocator allocator) {
    ByteBuf frame = allocator.directBuffer(HEADER + payload.length);
    frame.writeByte(LAST | opcode);
    if (payload.length < LENGTH_IN_16_BITS) {
      frame.writeByte(payload.length);
    } else if (payload.length <= 0xFFFF) {
      frame.writeByte(LENGTH_IN_16_BITS).writeShort(payload.length);
    } else {
      frame.writeByte(LENGTH_IN_64_BITS).writeLong(payload.length);
    }
    return frame.writeBytes(payload);
  }

  /// What a close frame says.
  public static byte[] closing(int code, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(CODE_BYTES + text.length).putShort((short) code).put(text).array();
  }
}
