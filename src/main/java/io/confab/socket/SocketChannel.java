package io.confab.socket;

import io.confab.feed.Event;
import io.confab.metrics.Meters;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Json;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Goodbye;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The only class that knows Vert.x' WebSocket. Frames are written below it, straight to
/// Netty's pipeline: Vert.x would encode, copy and flush each one for each socket.
///
/// Netty counts the bytes that wait to be written; this class only compares them with the
/// bound.
final class SocketChannel implements Outbound {
  private static final Duration STALL = Duration.ofSeconds(10);

  private final ServerWebSocket socket;
  private final ChannelHandlerContext channel;
  private final FrameEncoder encoder;
  private final Flushes flushes;
  private final Meters meters;
  private final long mostQueued;
  private final LongSupplier reconnectSpread;
  private @Nullable Object head;
  private long headProgress;
  private long headSince;
  private boolean dirty;
  private boolean closed;

  SocketChannel(
      ServerWebSocket socket,
      FrameEncoder encoder,
      Flushes flushes,
      Meters meters,
      long mostQueued,
      LongSupplier reconnectSpread) {
    this.socket = socket;
    this.channel = ((WebSocketInternal) socket).channelHandlerContext();
    this.encoder = encoder;
    this.flushes = flushes;
    this.meters = meters;
    this.mostQueued = mostQueued;
    this.reconnectSpread = reconnectSpread;
  }

  @Override
  public void send(ServerFrame frame) {
    if (!closed) {
      write(FrameEncoder.encode(Json.bytes(frame), channel.alloc()));
    }
  }

  @Override
  public void send(Event event) {
    if (!closed) {
      write(encoder.shared(event, channel.alloc()));
    }
  }

  private void write(ByteBuf frame) {
    channel.write(frame, channel.voidPromise());
    meters.framesOut(1);
    flushSoon();
  }

  private void flushSoon() {
    if (!dirty) {
      dirty = true;
      flushes.add(this);
    }
  }

  void flush() {
    dirty = false;
    channel.flush();
  }

  @Override
  public boolean isFull() {
    return queuedBytes() > mostQueued;
  }

  private long queuedBytes() {
    Channel netty = channel.channel();
    ChannelOutboundBuffer queue = netty.unsafe().outboundBuffer();
    return queue == null ? 0 : queue.totalPendingWriteBytes();
  }

  @Override
  public Future<Void> drained() {
    if (closed || queuedBytes() == 0) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    channel.write(Unpooled.EMPTY_BUFFER).addListener(done -> drained.tryComplete());
    flushSoon();
    return drained.future();
  }

  /// Whether bytes have been waiting for 10 s without the peer taking any.
  boolean isStalled(long now) {
    ChannelOutboundBuffer queue = channel.channel().unsafe().outboundBuffer();
    Object first = queue == null ? null : queue.current();
    if (queue == null || first == null) {
      head = null; // nothing has been flushed that is not taken yet
      return false;
    }
    long progress = queue.currentProgress();
    if (!Objects.equals(head, first) || progress != headProgress) {
      head = first;
      headProgress = progress;
      headSince = now;
    }
    return now - headSince > STALL.toNanos();
  }

  void ping() {
    socket.writePing(Buffer.buffer());
  }

  @Override
  public void close(CloseCode code, String reason) {
    if (closed) {
      return;
    }
    if (code != CloseCode.NORMAL) {
      send(new Goodbye(code.code(), reason, code.resume(), reconnectSpread.getAsLong()));
    }
    closed = true;
    flush();
    socket.close((short) code.code(), reason);
  }

  /// The peer is gone or the close handshake is over: nothing may be written any more.
  void gone() {
    closed = true;
  }
}
