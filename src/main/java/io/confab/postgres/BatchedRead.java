package io.confab.postgres;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Gathers questions that are asked at once into few reads: one is in flight, and the keys that
/// arrive meanwhile go together in the next, or in those after it when there are many. So an answer
/// is never older than its question.
///
/// May be called from any thread. A lone question is read at once. With a [Pace], reads that
/// follow one of several keys begin no sooner than that after each other.
///
/// @param <K> what is asked for
/// @param <A> the answer to all keys of one read; callers pick theirs
public final class BatchedRead<K, A> {
  /// How long questions are gathered while many come.
  ///
  /// @param several keys of a read behind which others are gathered
  /// @param later runs something after a delay
  public record Pace(
      Duration gather, int several, LongSupplier nanos, BiConsumer<Duration, Runnable> later) {
    /// Nothing is gathered but what comes while a read is in flight.
    public static final Pace NONE =
        new Pace(Duration.ZERO, 1, () -> 0, (_, action) -> action.run());

    /// By the clock and the timers of Vert.x.
    public static Pace of(Vertx vertx, Duration gather, int several) {
      return new Pace(
          gather,
          several,
          System::nanoTime,
          (wait, read) -> vertx.setTimer(Math.max(1, wait.toMillis()), _ -> read.run()));
    }
  }

  private final int most;
  private final int portion;
  private final Function<List<K>, Future<A>> reader;
  private final Pace pace;
  private final Deque<Batch<K, A>> waiting = new ArrayDeque<>();
  private int waitingKeys;
  private boolean reading;
  private long nextAt;

  /// What goes together.
  private record Batch<K, A>(Set<K> keys, Promise<A> answer) {
    /// Answers how many of the keys were not there yet.
    int add(Collection<K> wanted) {
      int before = keys.size();
      keys.addAll(wanted);
      return keys.size() - before;
    }
  }

  /// @param most keys that may wait; a question beyond is refused, unless nobody else waits
  public BatchedRead(int most, Function<List<K>, Future<A>> reader) {
    this(most, most, reader, Pace.NONE);
  }

  /// @param most as above
  public BatchedRead(int most, Function<List<K>, Future<A>> reader, Pace pace) {
    this(most, most, reader, pace);
  }

  /// @param most as above
  /// @param portion keys that go together at most, unless one question has more
  public BatchedRead(int most, int portion, Function<List<K>, Future<A>> reader) {
    this(most, portion, reader, Pace.NONE);
  }

  /// @param most as above
  /// @param portion as above; what is gathered beyond it follows at once
  public BatchedRead(int most, int portion, Function<List<K>, Future<A>> reader, Pace pace) {
    this.most = most;
    this.portion = portion;
    this.reader = reader;
    this.pace = pace;
    this.nextAt = pace.nanos().getAsLong();
  }

  /// The answer of a read that starts after this call. Refusals: `unavailable` when too many wait.
  public Future<A> read(Collection<K> wanted) {
    Future<A> mine;
    synchronized (this) {
      if (waitingKeys > 0 && waitingKeys + wanted.size() > most) {
        return Future.failedFuture(Refusal.unavailable("too many reads are waiting"));
      }
      Batch<K, A> batch = batchFor(wanted.size());
      waitingKeys += batch.add(wanted);
      mine = batch.answer().future();
      if (reading) {
        return mine;
      }
      reading = true;
    }
    readSoon();
    return mine;
  }

  private Batch<K, A> batchFor(int more) {
    Batch<K, A> last = waiting.peekLast();
    if (last != null && (last.keys().isEmpty() || last.keys().size() + more <= portion)) {
      return last;
    }
    Batch<K, A> next = new Batch<>(new LinkedHashSet<>(), Promise.promise());
    waiting.add(next);
    return next;
  }

  private void readSoon() {
    long wait = nextAt - pace.nanos().getAsLong();
    if (wait > 0) {
      pace.later().accept(Duration.ofNanos(wait), this::readNext);
    } else {
      readNext();
    }
  }

  private void readNext() {
    Batch<K, A> batch;
    synchronized (this) {
      batch = waiting.remove();
      waitingKeys -= batch.keys().size();
    }
    int keys = batch.keys().size();
    boolean more = keys >= portion;
    nextAt =
        pace.nanos().getAsLong() + (keys >= pace.several() && !more ? pace.gather().toNanos() : 0);
    reader
        .apply(new ArrayList<>(batch.keys()))
        .onComplete(
            result -> {
              if (moreToRead()) {
                readSoon();
              }
              batch.answer().handle(result);
            });
  }

  private synchronized boolean moreToRead() {
    reading = !waiting.isEmpty();
    return reading;
  }
}
