package io.confab.websocket;

import io.confab.protocol.CloseCode;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/// The head of a client's frame (RFC 6455 §5.2), checked as far as it can be by itself.
///
/// @param isLast whether the frame ends its message
/// @param bytes length of the head
/// @param payload length of what follows it
public record FrameHeader(boolean isLast, int opcode, int bytes, long payload, int mask) {
  public static final int CONTINUATION = 0;
  public static final int TEXT = 1;
  public static final int BINARY = 2;
  public static final int CLOSE = 8;
  public static final int PING = 9;
  public static final int PONG = 10;

  private static final int LAST = 0x80;
  private static final int RESERVED = 0x70;
  private static final int OPCODE = 0x0F;
  private static final int CONTROL = 0x08;
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;
  private static final int START = 2;
  private static final int IN_16_BITS = 126;
  private static final int IN_64_BITS = 127;
  private static final int MOST_OF_CONTROL = 125;

  boolean isControl() {
    return (opcode & CONTROL) != 0;
  }

  /// Reads without moving on; null while it is not there as a whole. Throws [WireFault].
  static @Nullable FrameHeader peek(ByteBuf in) {
    if (in.readableBytes() < START) {
      return null;
    }
    int at = in.readerIndex();
    int first = in.getUnsignedByte(at);
    int second = in.getUnsignedByte(at + 1);
    check(first, second);
    int length = second & LENGTH;
    int lengthBytes = length == IN_16_BITS ? Short.BYTES : length == IN_64_BITS ? Long.BYTES : 0;
    int bytes = START + lengthBytes + Integer.BYTES;
    if (in.readableBytes() < bytes) {
      return null;
    }
    return new FrameHeader(
        (first & LAST) != 0,
        first & OPCODE,
        bytes,
        payload(length, in, at + START),
        in.getInt(at + START + lengthBytes));
  }

  private static void check(int first, int second) {
    if ((first & RESERVED) != 0) {
      throw malformed("a reserved bit is set, and no extension was agreed on");
    }
    if ((second & MASKED) == 0) {
      throw malformed("a frame is not masked");
    }
    switch (first & OPCODE) {
      case CONTINUATION, TEXT, BINARY -> {}
      case CLOSE, PING, PONG -> {
        if ((first & LAST) == 0) {
          throw malformed("a control frame is fragmented");
        }
        if ((second & LENGTH) > MOST_OF_CONTROL) {
          throw malformed("a control frame is longer than 125 bytes");
        }
      }
      default -> throw malformed("an opcode is reserved");
    }
  }

  private static long payload(int length, ByteBuf in, int at) {
    return switch (length) {
      case IN_16_BITS -> shortest(in.getUnsignedShort(at), IN_16_BITS);
      case IN_64_BITS -> shortest(in.getLong(at), 1 << Short.SIZE);
      default -> length;
    };
  }

  /// A length has one form. One with its highest bit set, which is a fault too, is negative.
  private static long shortest(long length, int least) {
    if (length < least) {
      throw malformed("a length is not in its shortest form");
    }
    return length;
  }

  static WireFault malformed(String reason) {
    return new WireFault(CloseCode.MALFORMED, reason);
  }
}
