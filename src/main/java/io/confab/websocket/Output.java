package io.confab.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What goes out on one connection. Frames wait for their flush; those of a turn of the event loop
/// go to the kernel in one `send(2)`, past Netty's queue, unless TLS stands between. What the
/// kernel does not take waits in that queue, and what comes while something waits there goes
/// behind it.
///
/// A delivery to a crowd costs what memory it touches, and Netty makes a buffer and an entry for
/// each frame and socket. So this keeps frames that others share, and the first of a turn, mostly
/// the only one, in a field of its own. Belongs to the event loop.
public final class Output {
  /// Frames that came together are copied, to be sent in one call, if they have no more bytes.
  static final int MOST_COPIED = 16 * 1024;

  private @Nullable ChannelHandlerContext context;

  /// The kernel's; null where Netty is the only way out.
  private @Nullable Socket socket;

  private @Nullable ByteBuf first;

  /// What was written in the turn after the first frame.
  private @Nullable List<ByteBuf> others;

  private int bytes;

  /// Whether something may be in Netty's queue.
  private boolean queued = true;

  /// Whether Netty was given something since its last flush. TLS keeps that out of the queue.
  private boolean unflushed;

  /// @param wire what hands over to Netty
  void open(ChannelHandlerContext wire) {
    context = wire;
  }

  /// Nothing stands between the wire and the channel.
  void bare() {
    if (channel() instanceof UnixChannel unix && unix.fd() instanceof Socket kernel) {
      socket = kernel;
    }
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  private Channel channel() {
    return context().channel();
  }

  /// Takes one reference of the frame, and leaves its indices alone.
  public void write(ByteBuf frame) {
    if (first == null) {
      first = frame;
    } else {
      if (others == null) {
        others = new ArrayList<>();
      }
      others.add(frame);
    }
    bytes += frame.readableBytes();
  }

  /// Bytes that were written and that the kernel has not taken, with what Netty needs to keep
  /// them.
  public long queuedBytes() {
    return queued ? bytes + queueBytes() : bytes;
  }

  private long queueBytes() {
    ChannelOutboundBuffer queue = queue();
    return queue == null ? 0 : queue.totalPendingWriteBytes();
  }

  /// What was flushed and waits, or null when the connection is over.
  public @Nullable ChannelOutboundBuffer queue() {
    return channel().unsafe().outboundBuffer();
  }

  public void flush() {
    queued = unflushed || (queued && queueBytes() > 0);
    if (socket != null && !queued && first != null && (others == null || bytes <= MOST_COPIED)) {
      send(socket, takeTogether(first));
    }
    handOver();
    if (queued) {
      unflushed = false;
      context().flush();
    }
  }

  private ByteBuf takeTogether(ByteBuf lone) {
    ByteBuf together = lone;
    if (others != null) {
      together = channel().alloc().directBuffer(bytes);
      copy(lone, together);
      for (ByteBuf frame : others) {
        copy(frame, together);
      }
    }
    forget();
    return together;
  }

  private static void copy(ByteBuf frame, ByteBuf to) {
    to.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
    frame.release();
  }

  /// The number of a closed socket may be another one's by now, so it is not written to.
  private void send(Socket to, ByteBuf frame) {
    int from = frame.readerIndex();
    int end = frame.writerIndex();
    int sent = from;
    if (frame.hasMemoryAddress() && to.isOpen()) {
      try {
        sent += to.sendAddress(frame.memoryAddress(), from, end);
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

  /// Done when it, and all that was written before, is taken by the kernel. It waits for its flush
  /// too.
  public ChannelFuture writeAndTell(ByteBuf frame) {
    handOver();
    queued = true;
    unflushed = true;
    return context().write(frame);
  }

  /// Gives all that was written to Netty, which lets go of it where the connection is over.
  private void handOver() {
    if (first != null) {
      give(first.duplicate());
      if (others != null) {
        others.forEach(frame -> give(frame.duplicate()));
      }
      forget();
    }
  }

  private void give(ByteBuf frame) {
    queued = true;
    unflushed = true;
    context().write(frame, context().voidPromise());
  }

  /// The connection is over.
  void release() {
    if (first != null) {
      first.release();
    }
    if (others != null) {
      others.forEach(ByteBuf::release);
    }
    forget();
  }

  private void forget() {
    first = null;
    others = null;
    bytes = 0;
  }
}
