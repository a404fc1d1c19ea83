package io.confab.socket;

import io.confab.contract.Contract;
import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Json;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Keeps what a session sends, and is full when the test says so.
final class FakeOutbound implements Outbound {
  /// Of a loop where nobody is told how they stand in rooms with a capacity.
  static final LoopSeats.Sessions NO_SESSIONS =
      new LoopSeats.Sessions() {
        @Override
        public boolean has(AccountId account) {
          return false;
        }

        @Override
        public void seat(
            AccountId account,
            RoomId room,
            @Nullable ServerFrame news,
            @Nullable AuthenticatedSession but) {}
      };

  final List<Object> sent = new CopyOnWriteArrayList<>();
  final List<CloseCode> closes = new CopyOnWriteArrayList<>();
  volatile boolean full;
  volatile boolean throwsOnce;

  /// Being closed: nothing is taken any more, and nothing is waited for.
  volatile boolean closing;

  /// How many more frames of its own it takes before it is full.
  private final AtomicInteger takesFrames = new AtomicInteger(Integer.MAX_VALUE);

  /// How many more events it takes before it is full.
  final AtomicInteger takes = new AtomicInteger(Integer.MAX_VALUE);

  volatile boolean welcomed;
  private Promise<Void> drained = Promise.promise();

  @Override
  public void send(ServerFrame frame) {
    Contract.sawFrame(new String(Json.bytes(frame), StandardCharsets.UTF_8));
    sent.add(frame);
    if (takesFrames.decrementAndGet() == 0) {
      full = true;
    }
  }

  /// It will be full after so many more frames.
  void fillsAfter(int frames) {
    takesFrames.set(frames);
  }

  @Override
  public void send(Event event, boolean shown) {
    if (throwsOnce) {
      throwsOnce = false;
      throw new OutOfMemoryError("of direct buffers");
    }
    sent.add(shown ? event.rev().value() : "hidden " + event.rev());
    takes.decrementAndGet();
  }

  @Override
  public void send(byte[] head, byte[] tail) {
    String frame = EnvelopeFrames.text(head, tail);
    Contract.sawFrame(frame);
    sent.add(frame);
    takes.decrementAndGet();
  }

  @Override
  public void send(RoomSignal signal) {
    sent.add(signal);
  }

  @Override
  public void welcomed() {
    welcomed = true;
  }

  @Override
  public boolean isFull() {
    return full || takes.get() <= 0;
  }

  @Override
  public Future<Void> drained() {
    return isFull() && !closing ? drained.future() : Future.succeededFuture();
  }

  void drain() {
    full = false;
    Promise<Void> waiting = drained;
    drained = Promise.promise();
    waiting.complete();
  }

  @Override
  public void close(CloseCode code, String reason) {
    closes.add(code);
  }
}
