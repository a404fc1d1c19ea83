package io.confab.socket;

import io.confab.feed.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes frames as they leave a server: unmasked and whole (RFC 6455 §5.2). The frame of an event
/// is made once and shared by all sockets of an event loop, to which this belongs.
final class FrameEncoder {
  private static final int LAST = 0x80;
  private static final int LENGTH_IN_16_BITS = 126;
  private static final int LENGTH_IN_64_BITS = 127;
  private static final int HEADER = 10;
  private static final int CODE_BYTES = 2;

  private final Shared shown = new Shared();
  private final Shared hidden = new Shared();

  /// A frame that was made for one event.
  private static final class Shared {
    private @Nullable Event event;
    private ByteBuf frame = Unpooled.EMPTY_BUFFER;

    @SuppressWarnings("ReferenceEquality") // the same object is what the room's sockets are told
    ByteBuf of(Event wanted, Function<Event, byte[]> text, ByteBufAllocator allocator) {
      if (event != wanted) {
        frame.release();
        frame = encode(text.apply(wanted), allocator);
        event = wanted;
      }
      return frame.retainedDuplicate();
    }

    void close() {
      frame.release();
      frame = Unpooled.EMPTY_BUFFER;
      event = null;
    }
  }

  /// The caller owns the answer.
  ///
  /// @param isShown whether the content may be seen, or the number alone
  ByteBuf shared(Event event, boolean isShown, ByteBufAllocator allocator) {
    return isShown
        ? shown.of(event, Event::frame, allocator)
        : hidden.of(event, Event::hiddenFrame, allocator);
  }

  /// The caller owns the answer.
  static ByteBuf encode(byte[] text, ByteBufAllocator allocator) {
    return encode(FrameHeader.TEXT, text, allocator);
  }

  /// The caller owns the answer.
  static ByteBuf encode(int opcode, byte[] payload, ByteBufAllocator allocator) {
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
  static byte[] closing(int code, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(CODE_BYTES + text.length).putShort((short) code).put(text).array();
  }

  void close() {
    shown.close();
    hidden.close();
  }
}
