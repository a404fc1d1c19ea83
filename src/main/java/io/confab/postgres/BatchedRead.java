package io.confab.postgres;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Gathers what many ask at once into few reads: one is in flight, and the keys that arrive
/// meanwhile go together in the next. So an answer is never older than its question.
///
/// May be called from any thread. No timer: a lone question is read at once.
///
/// @param <K> what is asked for
/// @param <A> the answer to all keys of one read; callers pick theirs
public final class BatchedRead<K, A> {
  private final int most;
  private final Function<List<K>, Future<A>> reader;
  private Set<K> keys = new LinkedHashSet<>();
  private Promise<A> answer = Promise.promise();
  private boolean reading;

  /// @param most keys that may wait; a question beyond is refused, unless nobody else waits
  public BatchedRead(int most, Function<List<K>, Future<A>> reader) {
    this.most = most;
    this.reader = reader;
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
    readNext();
    return mine;
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
    reader
        .apply(batch)
        .onComplete(
            result -> {
              if (moreToRead()) {
                readNext();
              }
              waiting.handle(result);
            });
  }

  private synchronized boolean moreToRead() {
    reading = !keys.isEmpty();
    return reading;
  }
}
