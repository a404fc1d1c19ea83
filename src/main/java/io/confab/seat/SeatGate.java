package io.confab.seat;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Bounds what this node has Redis do about seats at a time. Redis answers in the order of asking:
/// without a bound a crowd that enters at once would keep back for seconds what keeps seats, and
/// the looks at the epoch without which nothing is good, until the connection is given up with all
/// that is under way. So who keeps something goes before who wants something, and who would wait
/// too long is told when to come again. For any thread; what a caller asked for is begun and ends
/// on its own context.
final class SeatGate {
  /// What a call costs Redis besides its accounts, in accounts.
  private static final int CALL = 5;

  private static final int MOST_UNDER_WAY = 4_000;

  /// Of one turn.
  static final int MOST_WAITING = 20_000;

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);
  private static final Duration SPREAD = Duration.ofSeconds(3);

  private final Timing timing;
  private final RandomGenerator random;
  private final Map<Turn, Deque<Waiting>> waiting = new EnumMap<>(Turn.class);
  private final AtomicInteger rounds = new AtomicInteger();
  private int underWay;
  private boolean watching;

  /// Whose turn it is first.
  enum Turn {
    /// Checks in, leaves, or looks.
    KEEP(Duration.ofSeconds(5)),
    /// Wants a seat or a place.
    ENTER(Duration.ofSeconds(3));

    final Duration patience;

    Turn(Duration patience) {
      this.patience = patience;
    }
  }

  /// @param refuse answers that it has waited for too long
  private record Waiting(int cost, long since, Runnable go, Runnable refuse) {}

  SeatGate(Timing timing, RandomGenerator random) {
    this.timing = timing;
    this.random = random;
  }

  /// Does the work when there is room for it; refused with `unavailable` when that would take too
  /// long.
  ///
  /// @param accounts whom it is about
  <T> Future<T> pass(Turn turn, int accounts, Supplier<Future<T>> work) {
    Promise<T> promise = Promise.promise();
    Caller caller = Caller.current();
    int cost = CALL + accounts;
    Runnable go =
        () ->
            Future.<Void>succeededFuture()
                .compose(_ -> work.get())
                .onComplete(
                    result -> {
                      left(cost);
                      caller.run(() -> promise.handle(result));
                    });
    Waiting mine =
        new Waiting(
            cost,
            timing.nanoTime(),
            () -> caller.run(go),
            () -> caller.run(() -> promise.fail(busy())));
    if (!queue(turn, mine)) {
      return Future.failedFuture(busy());
    }
    letIn();
    watch();
    return promise.future();
  }

  private synchronized boolean queue(Turn turn, Waiting one) {
    Deque<Waiting> others = waiting.computeIfAbsent(turn, _ -> new ArrayDeque<>());
    return others.size() < MOST_WAITING && others.add(one);
  }

  private void left(int cost) {
    synchronized (this) {
      underWay -= cost;
    }
    letIn();
  }

  /// One thread at a time, so that calls that end at once do not pile up on its stack.
  private void letIn() {
    if (rounds.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    do {
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
      seen = rounds.addAndGet(-seen);
    } while (seen > 0);
  }

  private synchronized @Nullable Runnable next() {
    Runnable refuse = overdue();
    if (refuse != null) {
      return refuse;
    }
    for (Deque<Waiting> line : waiting.values()) {
      Waiting first = line.peek();
      if (first == null) {
        continue;
      }
      if (underWay > 0 && underWay + first.cost() > MOST_UNDER_WAY) {
        return null;
      }
      line.remove();
      underWay += first.cost();
      return first.go();
    }
    return null;
  }

  private synchronized @Nullable Runnable overdue() {
    for (Map.Entry<Turn, Deque<Waiting>> turn : waiting.entrySet()) {
      Waiting first = turn.getValue().peek();
      if (first != null && left(turn.getKey(), first) < 0) {
        turn.getValue().remove();
        return first.refuse();
      }
    }
    return null;
  }

  /// For how long it may still wait.
  private long left(Turn turn, Waiting one) {
    return turn.patience.toNanos() - (timing.nanoTime() - one.since());
  }

  /// Whoever waits too long is told so, even if nothing ends.
  private void watch() {
    Duration pause;
    synchronized (this) {
      OptionalLong soon =
          waiting.entrySet().stream()
              .filter(turn -> !turn.getValue().isEmpty())
              .mapToLong(turn -> left(turn.getKey(), turn.getValue().element()))
              .min();
      if (watching || soon.isEmpty()) {
        return;
      }
      watching = true;
      long longest = Turn.ENTER.patience.toNanos(); // one that may wait less may come
      pause = SHORTEST_PAUSE.plusNanos(Math.clamp(soon.getAsLong(), 0, longest));
    }
    timing.pause(pause).onComplete(_ -> watched());
  }

  private void watched() {
    synchronized (this) {
      watching = false;
    }
    letIn();
    watch();
  }

  /// Those who are refused together come back apart from each other.
  synchronized Refusal busy() {
    Duration pause = LEAST_PAUSE.plusMillis(random.nextLong(SPREAD.toMillis()));
    return new Refusal(ErrorCode.UNAVAILABLE, null, "too many ask for seats at once", pause);
  }
}
