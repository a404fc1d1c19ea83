package io.confab.message;

import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Time that passes when the test says so.
final class ManualTiming implements Timing {
  private final List<Pause> pauses = new ArrayList<>();
  private long now;

  private record Pause(long end, Promise<Void> promise) {}

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public Future<Void> pause(Duration duration) {
    Pause pause = new Pause(now + duration.toNanos(), Promise.promise());
    pauses.add(pause);
    return pause.promise().future();
  }

  void pass(Duration duration) {
    long end = now + duration.toNanos();
    while (true) {
      var next = pauses.stream().min(Comparator.comparingLong(Pause::end));
      if (next.isEmpty() || next.get().end() > end) {
        break;
      }
      pauses.remove(next.get());
      now = Math.max(now, next.get().end());
      next.get().promise().complete();
    }
    now = end;
  }
}
