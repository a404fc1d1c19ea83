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
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// The sends and changes of this terminal that are not settled yet, at most a hundred. Those that
/// wait for longer than a second, or fail for good, are shown to the person.
final class UnsettledSends {
  private static final int MOST = 100;
  private static final long SLOW_NANOS = 1_000_000_000;

  private final Screen screen;
  private final LongSupplier clock;
  private final Semaphore room = new Semaphore(MOST);
  private final Queue<Slow> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failed = new AtomicInteger();
  private final Map<RoomId, Rev> newest = new ConcurrentHashMap<>();

  /// What was said, and when, by the clock.
  private record Slow(BooleanSupplier settled, String text, long since) {}

  UnsettledSends(Screen screen) {
    this(screen, System::nanoTime);
  }

  /// @param clock in nanoseconds
  UnsettledSends(Screen screen, LongSupplier clock) {
    this.screen = screen;
    this.clock = clock;
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

  /// Adds a message, after [#await(Duration)].
  void add(PendingSend send) {
    watch(() -> send.state() != PendingSend.State.QUEUED, send.body());
    Future<SentMessage> sent = send.sent();
    sent.onSuccess(this::stored);
    add(sent, send.body());
  }

  /// Adds a line of a sealed room, after [#await(Duration)].
  void addLine(Future<?> line, String text) {
    watch(line::isComplete, text);
    add(line, text);
  }

  private void watch(BooleanSupplier settled, String text) {
    waiting.add(new Slow(settled, text, clock.getAsLong()));
  }

  void stored(SentMessage message) {
    newest.merge(message.roomId(), message.rev(), (a, b) -> a.isAfter(b) ? a : b);
  }

  /// Adds a change, after [#await(Duration)].
  ///
  /// @param what the change is, for a person
  void add(Future<?> change, String what) {
    change.onComplete(
        done -> {
          if (done.failed()) {
            failed.incrementAndGet();
            failures.add("✗ %s: %s".formatted(Reasons.of(done.cause()), Plain.line(what)));
          }
          room.release();
        });
  }

  /// Prints what waits too long, and what failed.
  void print() {
    for (String failure = failures.poll(); failure != null; failure = failures.poll()) {
      screen.line(failure);
    }
    for (Iterator<Slow> slow = waiting.iterator(); slow.hasNext(); ) {
      Slow next = slow.next();
      boolean settled = next.settled().getAsBoolean();
      boolean late = clock.getAsLong() - next.since() > SLOW_NANOS;
      if (late && !settled) {
        screen.line("◷ not stored yet: " + Plain.line(next.text()));
      }
      if (late || settled) {
        slow.remove();
      }
    }
  }

  int failed() {
    return failed.get();
  }

  /// The highest rev of a stored message in this room; `Rev.ZERO` where none was stored.
  Rev newest(RoomId of) {
    return newest.getOrDefault(of, Rev.ZERO);
  }
}
