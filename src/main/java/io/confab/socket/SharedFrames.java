package io.confab.socket;

import io.confab.feed.Event;
import io.confab.websocket.FrameWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The frames of events, each made once and shared by all sockets of an event loop, to which
/// this belongs.
final class SharedFrames {
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
        frame = FrameWriter.text(text.apply(wanted), allocator);
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

  void close() {
    shown.close();
    hidden.close();
  }
}
