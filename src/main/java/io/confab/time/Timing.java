package io.confab.time;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/// The passing of time.
public interface Timing {
  long nanoTime();

  Future<Void> pause(Duration duration);

  /// That of the machine.
  static Timing of(Vertx vertx) {
    return new Timing() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public Future<Void> pause(Duration duration) {
        return vertx.timer(Math.max(1, duration.toMillis())).mapEmpty();
      }
    };
  }
}
