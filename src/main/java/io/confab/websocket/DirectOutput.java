package io.confab.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What goes out to one socket of the kernel: the frames of a turn in one `send(2)`, past Netty's
/// queue. What the kernel does not take waits in that queue, and what comes while something waits
/// there goes behind it.
///
/// Netty makes a buffer and an entry for each frame and socket, which costs a quarter of what the
/// kernel does. Belongs to the event loop.
final class DirectOutput {
  /// Frames that came together are copied, to be sent in one call, if they have no more bytes.
  static final int MOST_COPIED = 16 * 1024;

  private final Channel channel;
  private final Socket socket;
  private final List<ByteBuf> frames = new ArrayList<>(0);
  private int bytes;

  /// Whether something may be in Netty's queue, as at the beginning.
  private boolean queued = true;

  private DirectOutput(Channel channel, Socket socket) {
    this.channel = channel;
    this.socket = socket;
  }

  /// Null where the channel has no socket of the kernel below it.
  static @Nullable DirectOutput of(Channel channel) {
    return channel instanceof UnixChannel unix && unix.fd() instanceof Socket socket
        ? new DirectOutput(channel, socket)
        : null;
  }

  /// Takes one reference of the frame, and leaves its indices alone.
  void write(ByteBuf frame) {
    frames.add(frame);
    bytes += frame.readableBytes();
  }

  /// Bytes that the kernel has not taken.
  long queuedBytes() {
    return queued ? bytes + queuedBytes(channel.unsafe().outboundBuffer()) : bytes;
  }

  static long queuedBytes(@Nullable ChannelOutboundBuffer queue) {
    return queue == null ? 0 : queue.totalPendingWriteBytes();
  }

  void flush() {
    queued = queued && queuedBytes(channel.unsafe().outboundBuffer()) > 0;
    boolean few = frames.size() == 1 || bytes <= MOST_COPIED;
    if (!queued && few && !frames.isEmpty()) {
      send(takeTogether());
    }
    handOver();
    if (queued) {
      channel.unsafe().flush();
    }
  }

  private ByteBuf takeTogether() {
    ByteBuf together = frames.getFirst();
    if (frames.size() > 1) {
      together = channel.alloc().directBuffer(bytes);
      for (ByteBuf frame : frames) {
        together.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
        frame.release();
      }
    }
    forget();
    return together;
  }

  /// The number of a closed socket may be another one's by now, so it is not written to.
  private void send(ByteBuf frame) {
    int from = frame.readerIndex();
    int end = frame.writerIndex();
    int sent = from;
    if (frame.hasMemoryAddress() && socket.isOpen()) {
      try {
        sent += socket.sendAddress(frame.memoryAddress(), from, end);
      } catch (IOException _) {
        sent = from; // Netty's own attempt fails too, and closes the connection
      }
    }
    if (sent == end) {
      frame.release();
    } else {
      give(frame.slice(sent, end - sent));
    }
  }

  /// Gives all that was written to Netty, which lets go of it where the connection is over.
  void handOver() {
    for (ByteBuf frame : frames) {
      give(frame.duplicate());
    }
    forget();
  }

  private void give(ByteBuf frame) {
    queued = true;
    channel.unsafe().write(frame, channel.voidPromise());
  }

  /// The connection is over.
  void release() {
    frames.forEach(ByteBuf::release);
    forget();
  }

  private void forget() {
    frames.clear();
    bytes = 0;
  }
}
