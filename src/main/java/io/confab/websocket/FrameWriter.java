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

  /// A text in two parts; the caller owns the answer.
  public static ByteBuf text(byte[] head, byte[] tail, ByteBufAllocator allocator) {
    return begin(FrameHeader.TEXT, head.length + tail.length, allocator)
        .writeBytes(head)
        .writeBytes(tail);
  }

  /// The caller owns the answer.
  public static ByteBuf frame(int opcode, byte[] payload, ByteBufAllocator allocator) {
    return begin(opcode, payload.length, allocator).writeBytes(payload);
  }

  private static ByteBuf begin(int opcode, int length, ByteBufAllocator allocator) {
    ByteBuf frame = allocator.directBuffer(HEADER + length);
    frame.writeByte(LAST | opcode);
    if (length < LENGTH_IN_16_BITS) {
      frame.writeByte(length);
    } else if (length <= 0xFFFF) {
      frame.writeByte(LENGTH_IN_16_BITS).writeShort(length);
    } else {
      frame.writeByte(LENGTH_IN_64_BITS).writeLong(length);
    }
    return frame;
  }

  /// What a close frame says.
  public static byte[] closing(int code, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(CODE_BYTES + text.length).putShort((short) code).put(text).array();
  }
}
