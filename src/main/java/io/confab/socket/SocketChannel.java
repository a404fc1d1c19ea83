package io.confab.socket;

import io.confab.config.Config;
import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.listener.SharedBound;
import io.confab.metrics.Meters;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Json;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Goodbye;
import io.confab.time.TimingWheel;
import io.confab.time.TimingWheel.Timeout;
import io.confab.websocket.FrameHeader;
import io.confab.websocket.FrameWriter;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Output;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The way out to one client: frames in order, and in the end a goodbye and the closing handshake
/// (RFC 6455 §7), which ends in time even when the client takes no part in it.
///
/// Netty counts the bytes that wait to be written; this class only compares them with the
/// bound.
final class SocketChannel implements Outbound {

  /// What the channels of an event loop share.
  ///
  /// @param reconnectSpread milliseconds, by chance
  record ChannelContext(
      SharedFrames encoder,
      Flushes flushes,
      SharedBound halves,
      TimingWheel wheel,
      Meters meters,
      Config.Sockets limits,
      LongSupplier reconnectSpread) {}

  private static final byte[] NOTHING = {};

  /// The part of its bytes that a socket may have waiting while memory is tight.
  private static final int TIGHT_PART = 8;

  private final Wire wire;
  private final Output output;
  private final MessageReader reader;
  private final ChannelContext shared;
  private final StallWatch stall;
  private long waiting;
  private boolean dirty;
  private int pauses;
  private boolean closing;
  private @Nullable Timeout cutOff;

  SocketChannel(Wire wire, MessageReader reader, ChannelContext shared) {
    this.wire = wire;
    this.output = wire.output();
    this.reader = reader;
    this.shared = shared;
    this.stall =
        new StallWatch(
            output,
            shared.wheel(),
            shared.limits().stallTimeout(),
            this::countWaiting,
            () -> close(CloseCode.TOO_SLOW, "takes nothing"));
  }

  @Override
  public void send(ServerFrame frame) {
    if (!closing) {
      write(FrameWriter.text(Json.bytes(frame), wire.allocator()));
      shared.meters().framesOut(1);
    }
  }

  @Override
  public void send(Event event, boolean shown) {
    if (!closing) {
      write(shared.encoder().shared(event, shown, wire.allocator()));
      shared.meters().framesOut(1);
    }
  }

  @Override
  public void send(byte[] head, byte[] tail) {
    if (!closing) {
      write(FrameWriter.text(head, tail, wire.allocator()));
      shared.meters().framesOut(1);
    }
  }

  @Override
  public void send(RoomSignal signal) {
    if (!closing) {
      write(shared.encoder().shared(signal, wire.allocator()));
      shared.meters().framesOut(1);
    }
  }

  void ping() {
    if (!closing) {
      write(FrameHeader.PING, NOTHING);
    }
  }

  /// Answers a ping of the client. A client that does not read gets no answers (RFC 6455 §5.5.3
  /// allows to answer the last ping alone).
  void pong(byte[] payload) {
    if (!closing && !isFull()) {
      write(FrameHeader.PONG, payload);
    }
  }

  private void write(int opcode, byte[] payload) {
    write(FrameWriter.frame(opcode, payload, wire.allocator()));
  }

  private void write(ByteBuf frame) {
    output.write(frame);
    flushSoon();
  }

  private void flushSoon() {
    if (!dirty) {
      dirty = true;
      shared.flushes().add(this);
    }
  }

  void flush() {
    dirty = false;
    output.flush();
    countWaiting();
    if (waiting > 0) {
      stall.flushed();
    }
  }

  private void countWaiting() {
    long now = output.queuedBytes();
    if (now != waiting) {
      shared.flushes().waits(now - waiting);
      waiting = now;
    }
  }

  /// What was written in this turn may only wait for its flush.
  @Override
  public boolean isFull() {
    int part = shared.flushes().isTight() ? TIGHT_PART : 1;
    int most = shared.limits().queueBytes() / part;
    if (output.queuedBytes() <= most) {
      return false;
    }
    if (dirty) {
      flush();
    }
    return output.queuedBytes() > most;
  }

  @Override
  public Future<Void> drained() {
    if (closing || output.queuedBytes() == 0) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    output
        .writeAndTell(Unpooled.EMPTY_BUFFER)
        .addListener(_ -> wire.onContext(drained::tryComplete));
    flushSoon();
    return drained.future();
  }

  @Override
  public void welcomed() {
    reader.limit(shared.limits().frameBytes());
  }

  /// Reads nothing until it is resumed as often as it was paused.
  void pause() {
    if (!closing) {
      pauses++;
      wire.pause();
    }
  }

  void resume() {
    if (pauses > 0 && --pauses == 0) {
      wire.resume();
    }
  }

  /// Whether this side has closed, or the connection is over.
  boolean isClosing() {
    return closing;
  }

  @Override
  public void close(CloseCode code, String reason) {
    if (closing) {
      return;
    }
    shared.meters().socketClosing(code);
    if (code != CloseCode.NORMAL) {
      long after = code.spread() ? shared.reconnectSpread().getAsLong() : 0;
      send(new Goodbye(code.code(), reason, code.resume(), after));
    }
    finish(FrameWriter.closing(code.code(), reason));
  }

  /// What the client sends cannot be read any more, its part in the closing handshake neither.
  void broken(WireFault fault) {
    close(fault.code(), fault.reason());
    finishOutput();
  }

  /// The client closes, or has answered that this side does.
  void closedByPeer(byte[] payload) {
    if (!closing) {
      finish(payload);
    }
    finishOutput();
  }

  private void finishOutput() {
    output.writeAndTell(Unpooled.EMPTY_BUFFER).addListener(_ -> wire.finishOutput());
    flush();
  }

  /// From now on the client is read from only for its part in the closing handshake.
  private void finish(byte[] last) {
    closing = true;
    pauses = 0;
    write(FrameHeader.CLOSE, last);
    flush();
    wire.resume();
    cutOff = shared.wheel().schedule(shared.limits().closeTimeout(), wire::end);
  }

  /// The connection is over.
  void gone() {
    closing = true;
    countWaiting();
    if (cutOff != null) {
      cutOff.cancel();
    }
  }
}
