package io.confab.time;

import io.vertx.core.Vertx;
import java.time.Duration;

/// The moments at which a node does what it does regularly: the same for all event loops, so that
/// an idle node wakes for all of it together. They are the multiples of a step of the process's
/// clock.
public final class Moments {
  private static final long STEP_MS = 250;
  private static final long MS_NANOS = 1_000_000;

  private Moments() {}

  /// As [Vertx#setPeriodic(long, io.vertx.core.Handler)], at the multiples of the period, of which
  /// the first comes within it.
  ///
  /// @param period whole milliseconds
  public static long periodic(Vertx vertx, Duration period, Runnable work) {
    return vertx.setPeriodic(
        untilMultiple(period, now()).toMillis(), period.toMillis(), _ -> work.run());
  }

  static Duration untilMultiple(Duration period, long nowMs) {
    return Duration.ofMillis(period.toMillis() - Math.floorMod(nowMs, period.toMillis()));
  }

  /// How long from now the moment is that is nearest to the end of this delay; one that is shorter
  /// than a step is over when it is over.
  static Duration until(Duration delay) {
    return until(delay, now());
  }

  static Duration until(Duration delay, long nowMs) {
    long latest = delay.toMillis() + STEP_MS / 2;
    return delay.toMillis() < STEP_MS
        ? delay
        : Duration.ofMillis(latest - Math.floorMod(nowMs + latest, STEP_MS));
  }

  private static long now() {
    return Math.floorDiv(System.nanoTime(), MS_NANOS);
  }
}
