package io.confab.socket;

import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.websocket.FrameWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The frames of events and signals, each made once and shared by all sockets of an event loop, to
/// which this belongs.
final class SharedFrames {
  private final Shared shown = new Shared();
  private final Shared hidden = new Shared();
  private final Shared signals = new Shared();

  /// The frame that was made last.
  private static final class Shared {
    private @Nullable Object source;
    private ByteBuf frame = Unpooled.EMPTY_BUFFER;

    @SuppressWarnings("ReferenceEquality") // all sockets of the room are given the same object
    ByteBuf of(Object wanted, Supplier<byte[]> text, ByteBufAllocator allocator) {
      if (source != wanted) {
        ByteBuf made = FrameWriter.text(text.get(), allocator); // throws where memory is short
        frame.release();
        frame = made;
        source = wanted;
      }
      return frame.retainedDuplicate();
    }

    void close() {
      frame.release();
      frame = Unpooled.EMPTY_BUFFER;
      source = null;
    }
  }

  /// The caller owns the answer.
  ///
  /// @param isShown whether the content may be seen, or the number alone
  ByteBuf shared(Event event, boolean isShown, ByteBufAllocator allocator) {
    return isShown
        ? shown.of(event, event::frame, allocator)
        : hidden.of(event, event::hiddenFrame, allocator);
  }

  /// The caller owns the answer.
  ByteBuf shared(RoomSignal signal, ByteBufAllocator allocator) {
    return signals.of(signal, signal::frame, allocator);
  }

  void close() {
    shown.close();
    hidden.close();
    signals.close();
  }
}
