package io.confab.time;

import io.vertx.core.Vertx;
import java.time.Duration;

/// Does something again and again on an event loop, each time a period after the last time was
/// over, at the nearest of the [Moments].
///
/// A periodic timer makes up at once for all the ticks that a loop missed while it stood still. A
/// counter of these ticks would take the loop's own pause for the silence of others, and the work
/// that they begin would come in a burst.
public final class Ticks {
  private final Vertx vertx;
  private final Duration period;
  private final Runnable work;
  private volatile long timer = -1;
  private volatile boolean stopped;

  public Ticks(Vertx vertx, Duration period, Runnable work) {
    this.vertx = vertx;
    this.period = period;
    this.work = work;
  }

  /// Called on the loop on which it ticks.
  public void start() {
    timer = vertx.setTimer(Moments.until(period).toMillis(), _ -> tick());
  }

  private void tick() {
    if (stopped) {
      return; // stopped while this tick was about to begin
    }
    try {
      work.run();
    } finally {
      if (!stopped) {
        start();
      }
    }
  }

  /// For any thread.
  public void stop() {
    stopped = true;
    vertx.cancelTimer(timer);
  }
}
