package io.confab.socket;

import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.websocket.FrameWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.function.Supplier;

/// The frames of events and signals, each made once and shared by all sockets of an event loop, to
/// which this belongs. The newest are kept, as many as a page has, so that streams that replay the
/// same page one after the other share its frames.
final class SharedFrames {
  static final int MOST_BYTES = 512 << 10;

  private final Shared shown = new Shared();
  private final Shared hidden = new Shared();

  /// The frames that were made last, by the object that they show: all sockets are given the same.
  private static final class Shared {
    private final IdentityHashMap<Object, ByteBuf> frames = new IdentityHashMap<>();
    private final Queue<Object> sources = new ArrayDeque<>();
    private int bytes;

    ByteBuf of(Object source, Supplier<byte[]> text, ByteBufAllocator allocator) {
      ByteBuf known = frames.get(source);
      if (known != null) {
        return known.retainedDuplicate();
      }
      ByteBuf frame = FrameWriter.text(text.get(), allocator); // throws where memory is short
      ByteBuf answer = frame.retainedDuplicate();
      frames.put(source, frame);
      sources.add(source);
      bytes += frame.capacity();
      while (bytes > MOST_BYTES) {
        forgetOldest();
      }
      return answer;
    }

    private void forgetOldest() {
      ByteBuf oldest = frames.remove(sources.remove());
      if (oldest != null) {
        bytes -= oldest.capacity();
        oldest.release();
      }
    }

    void close() {
      while (!sources.isEmpty()) {
        forgetOldest();
      }
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
    return shown.of(signal, signal::frame, allocator);
  }

  void close() {
    shown.close();
    hidden.close();
  }
}
