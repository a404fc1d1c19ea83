package io.confab.postgres;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Gathers questions that are asked at once into few reads: one is in flight, and the keys that
/// arrive meanwhile go together in the next. So an answer is never older than its question.
///
/// May be called from any thread. A lone question is read at once. With a [Pace], reads that
/// follow one that several shared begin no sooner than that after each other.
///
/// @param <K> what is asked for
/// @param <A> the answer to all keys of one read; callers pick theirs
public final class BatchedRead<K, A> {
  /// How long questions are gathered while many come.
  ///
  /// @param later runs something after a delay
  public record Pace(Duration gather, LongSupplier nanos, BiConsumer<Duration, Runnable> later) {
    private static final Pace NONE = new Pace(Duration.ZERO, () -> 0, (_, action) -> action.run());
  }

  private final int most;
  private final Function<List<K>, Future<A>> reader;
  private final Pace pace;
  private Set<K> keys = new LinkedHashSet<>();
  private Promise<A> answer = Promise.promise();
  private boolean reading;
  private long nextAt;

  /// @param most keys that may wait; a question beyond is refused, unless nobody else waits
  public BatchedRead(int most, Function<List<K>, Future<A>> reader) {
    this(most, reader, Pace.NONE);
  }

  /// @param most as above
  public BatchedRead(int most, Function<List<K>, Future<A>> reader, Pace pace) {
    this.most = most;
    this.reader = reader;
    this.pace = pace;
    this.nextAt = pace.nanos().getAsLong();
  }

  /// The answer of a read that starts after this call. Refusals: `unavailable` when too many wait.
  public Future<A> read(Collection<K> wanted) {
    Future<A> mine;
    synchronized (this) {
      if (!keys.isEmpty() && keys.size() + wanted.size() > most) {
        return Future.failedFuture(Refusal.unavailable("too many reads are waiting"));
      }
      keys.addAll(wanted);
      mine = answer.future();
      if (reading) {
        return mine;
      }
      reading = true;
    }
    readSoon();
    return mine;
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
    List<K> batch;
    Promise<A> waiting;
    synchronized (this) {
      batch = new ArrayList<>(keys);
      waiting = answer;
      keys = new LinkedHashSet<>();
      answer = Promise.promise();
    }
    nextAt = pace.nanos().getAsLong() + (batch.size() > 1 ? pace.gather().toNanos() : 0);
    reader
        .apply(batch)
        .onComplete(
            result -> {
              if (moreToRead()) {
                readSoon();
              }
              waiting.handle(result);
            });
  }

  private synchronized boolean moreToRead() {
    reading = !keys.isEmpty();
    return reading;
  }
}
