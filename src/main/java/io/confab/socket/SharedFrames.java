package io.confab.socket;

import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.websocket.FrameWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The frames of events and signals, each made once and shared by all sockets of an event loop, to
/// which this belongs. The newest are kept, up to a bound in bytes, so that streams that replay the
/// same page one after the other share its frames.
final class SharedFrames {
  static final int MOST_BYTES = 1 << 20;

  private final Shared shown = new Shared();
  private final Shared hidden = new Shared();

  /// The frames that were made last, by the object that they show: all sockets are given the same.
  private static final class Shared {
    private final IdentityHashMap<Object, Made> frames = new IdentityHashMap<>();
    private final Queue<Object> sources = new ArrayDeque<>();
    private int bytes;

    /// @param bytes of the frame and of its source, which stays in memory as long
    private record Made(ByteBuf frame, int bytes) {}

    @Nullable ByteBuf known(Object source) {
      Made known = frames.get(source);
      return known == null ? null : known.frame().retain();
    }

    /// Throws where memory is short.
    ByteBuf make(Object source, int sourceBytes, byte[] text, ByteBufAllocator allocator) {
      ByteBuf frame = FrameWriter.text(text, allocator);
      ByteBuf answer = frame.retain();
      Made made = new Made(frame, sourceBytes + frame.capacity());
      frames.put(source, made);
      sources.add(source);
      bytes += made.bytes();
      while (bytes > MOST_BYTES) {
        forgetOldest();
      }
      return answer;
    }

    private void forgetOldest() {
      Made oldest = frames.remove(sources.remove());
      if (oldest != null) {
        bytes -= oldest.bytes();
        oldest.frame().release();
      }
    }

    void close() {
      while (!sources.isEmpty()) {
        forgetOldest();
      }
    }
  }

  /// The caller owns one reference of the answer, and must leave its indices alone.
  ///
  /// @param isShown whether the content may be seen, or the number alone
  ByteBuf shared(Event event, boolean isShown, ByteBufAllocator allocator) {
    Shared same = isShown ? shown : hidden;
    ByteBuf known = same.known(event);
    return known == null
        ? same.make(event, event.bytes(), isShown ? event.frame() : event.hiddenFrame(), allocator)
        : known;
  }

  /// The caller owns one reference of the answer, and must leave its indices alone.
  ByteBuf shared(RoomSignal signal, ByteBufAllocator allocator) {
    ByteBuf known = shown.known(signal);
    return known == null
        ? shown.make(signal, signal.frame().length, signal.frame(), allocator)
        : known;
  }

  void close() {
    shown.close();
    hidden.close();
  }
}
