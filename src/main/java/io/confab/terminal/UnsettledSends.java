package io.confab.terminal;

import io.confab.client.PendingSend;
import io.confab.client.SentMessage;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// What was sent from this terminal and is not settled yet: at most a hundred at once. Who types
/// is told what waits for longer than a second, and what failed for good.
final class UnsettledSends {
  private static final int MOST = 100;
  private static final long SLOW_NANOS = 1_000_000_000;

  private final Screen screen;
  private final Semaphore room = new Semaphore(MOST);
  private final Queue<Slow> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failed = new AtomicInteger();
  private final Map<RoomId, Rev> newest = new ConcurrentHashMap<>();

  /// A send, when it was made, by `nanoTime`.
  private record Slow(PendingSend send, long since) {}

  UnsettledSends(Screen screen) {
    this.screen = screen;
  }

  /// Whether another one may be sent, within this time.
  boolean await(Duration limit) throws InterruptedException {
    return room.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Whether all are settled, within this time.
  boolean awaitAll(Duration limit) throws InterruptedException {
    boolean settled = room.tryAcquire(MOST, limit.toMillis(), TimeUnit.MILLISECONDS);
    if (settled) {
      room.release(MOST);
    }
    return settled;
  }

  /// A message, for which there was room.
  void add(PendingSend send) {
    waiting.add(new Slow(send, System.nanoTime()));
    Future<SentMessage> sent = send.sent();
    sent.onSuccess(this::stored);
    add(sent, send.body());
  }

  void stored(SentMessage message) {
    newest.merge(message.roomId(), message.rev(), (a, b) -> a.isAfter(b) ? a : b);
  }

  /// Anything else that has an end, for which there was room.
  ///
  /// @param what it is, for a person
  void add(Future<?> change, String what) {
    change.onComplete(
        done -> {
          if (done.failed()) {
            failed.incrementAndGet();
            failures.add(
                "✗ %s: %s"
                    .formatted(
                        Plain.line(String.valueOf(done.cause().getMessage())), Plain.line(what)));
          }
          room.release();
        });
  }

  /// Prints what there is to tell.
  void tell() {
    for (String failure = failures.poll(); failure != null; failure = failures.poll()) {
      screen.line(failure);
    }
    for (Iterator<Slow> slow = waiting.iterator(); slow.hasNext(); ) {
      Slow next = slow.next();
      boolean settled = next.send().state() != PendingSend.State.QUEUED;
      boolean late = System.nanoTime() - next.since() > SLOW_NANOS;
      if (late && !settled) {
        screen.line("◷ not stored yet: " + Plain.line(next.send().body()));
      }
      if (late || settled) {
        slow.remove();
      }
    }
  }

  int failed() {
    return failed.get();
  }

  /// The highest number that a stored one got in this room; `Rev.ZERO` where there is none.
  Rev newest(RoomId of) {
    return newest.getOrDefault(of, Rev.ZERO);
  }
}
