package io.confab.socket;

import io.confab.feed.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/// Makes text frames as they leave a server: unmasked and whole (RFC 6455 §5.2). The frame of
/// an event is made once and shared by all sockets of an event loop, to which this belongs.
final class FrameEncoder {
  private static final int FINAL_TEXT = 0x81;
  private static final int LENGTH_IN_16_BITS = 126;
  private static final int LENGTH_IN_64_BITS = 127;
  private static final int HEADER = 10;

  private @Nullable Event lastEvent;
  private ByteBuf lastFrame = Unpooled.EMPTY_BUFFER;

  /// The caller owns the answer.
  @SuppressWarnings("ReferenceEquality") // the same object is what the room's sockets are told
  ByteBuf shared(Event event, ByteBufAllocator allocator) {
    if (lastEvent != event) {
      lastFrame.release();
      lastFrame = encode(event.frame(), allocator);
      lastEvent = event;
    }
    return lastFrame.retainedDuplicate();
  }

  /// The caller owns the answer.
  static ByteBuf encode(byte[] text, ByteBufAllocator allocator) {
    ByteBuf frame = allocator.directBuffer(HEADER + text.length);
    frame.writeByte(FINAL_TEXT);
    if (text.length < LENGTH_IN_16_BITS) {
      frame.writeByte(text.length);
    } else if (text.length <= 0xFFFF) {
      frame.writeByte(LENGTH_IN_16_BITS).writeShort(text.length);
    } else {
      frame.writeByte(LENGTH_IN_64_BITS).writeLong(text.length);
    }
    return frame.writeBytes(text);
  }

  void close() {
    lastFrame.release();
    lastFrame = Unpooled.EMPTY_BUFFER;
    lastEvent = null;
  }
}
