package io.confab.socket;

import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Does the same for many, in batches, one at a time: each waits once, however often it is asked
/// for. A batch that fails waits again, for a moment. Belongs to one event loop.
final class Batches<T> {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Timers timers;
  private final int most;
  private final Function<List<T>, Future<?>> work;
  private final Set<T> waiting = new LinkedHashSet<>();
  private boolean busy;

  /// @param most in one batch
  Batches(Timers timers, int most, Function<List<T>, Future<?>> work) {
    this.timers = timers;
    this.most = most;
    this.work = work;
  }

  void add(Collection<? extends T> more) {
    waiting.addAll(more);
    next();
  }

  /// It need not be done any more.
  void remove(T one) {
    waiting.remove(one);
  }

  private void next() {
    if (busy || waiting.isEmpty()) {
      return;
    }
    busy = true;
    List<T> batch = new ArrayList<>();
    for (Iterator<T> all = waiting.iterator(); all.hasNext() && batch.size() < most; ) {
      batch.add(all.next());
      all.remove();
    }
    work.apply(batch)
        .onSuccess(_ -> goOn())
        .onFailure(
            _ -> {
              waiting.addAll(batch);
              timers.after(PAUSE, this::goOn);
            });
  }

  private void goOn() {
    busy = false;
    next();
  }
}
