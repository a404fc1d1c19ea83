package io.confab.feed;

import io.confab.protocol.Rev;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes each read once, however many callers ask for it at the same time. A bounded number of
/// reads is under way; the others wait for their turn. A caller who needs a newer state than the
/// read under way can show gets the next read, with all others who do. Belongs to one event loop.
///
/// @param <K> what is read
final class SingleFlight<K, V> {
  private final int most;
  private final Map<K, Read> reads = new HashMap<>();
  private final Queue<Read> waiting = new ArrayDeque<>();
  private int underWay;

  SingleFlight(int most) {
    this.most = most;
  }

  /// Reads, or takes part in a read that begins, or began, when the room stood at `stands` or
  /// later.
  ///
  /// @param read is given where the room stands
  Future<V> read(K key, Rev stands, Function<Rev, Future<V>> read) {
    Read present = reads.get(key);
    if (present == null) {
      Read first = new Read(key, stands, read);
      reads.put(key, first);
      begin(first);
      return first.answer.future();
    }
    return present.join(stands, read);
  }

  private void begin(Read read) {
    if (underWay == most) {
      waiting.add(read);
      return;
    }
    underWay++;
    read.begun = true;
    read.source
        .apply(read.stands)
        .onComplete(result -> ended(read, () -> read.answer.handle(result)));
  }

  private void ended(Read read, Runnable answer) {
    underWay--;
    if (read.next == null) {
      reads.remove(read.key);
    } else {
      reads.put(read.key, read.next);
      waiting.add(read.next);
    }
    Read turn = waiting.poll();
    if (turn != null) {
      begin(turn);
    }
    answer.run();
  }

  private final class Read {
    private final K key;
    private final Function<Rev, Future<V>> source;
    private final Promise<V> answer = Promise.promise();
    private Rev stands;
    private boolean begun;
    private @Nullable Read next;

    Read(K key, Rev stands, Function<Rev, Future<V>> source) {
      this.key = key;
      this.stands = stands;
      this.source = source;
    }

    Future<V> join(Rev wanted, Function<Rev, Future<V>> read) {
      if (begun && wanted.isAfter(stands)) {
        if (next == null) {
          next = new Read(key, wanted, read);
        }
        return next.join(wanted, read);
      }
      if (wanted.isAfter(stands)) {
        stands = wanted;
      }
      return answer.future();
    }
  }
}
