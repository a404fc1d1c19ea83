package io.confab.redis;

import io.vertx.core.Vertx;
import java.time.Duration;

/// Does something again and again on an event loop, each time a period after the last time was
/// over.
///
/// A periodic timer makes up for what a loop missed while it stood still, all at once: whoever
/// counts its ticks then takes the own pause for the silence of others.
final class Ticks {
  private final Vertx vertx;
  private final Duration period;
  private final Runnable work;
  private long timer = -1;
  private boolean stopped;

  Ticks(Vertx vertx, Duration period, Runnable work) {
    this.vertx = vertx;
    this.period = period;
    this.work = work;
  }

  /// Called on the loop on which it ticks.
  void start() {
    timer =
        vertx.setTimer(
            period.toMillis(),
            _ -> {
              try {
                work.run();
              } finally {
                if (!stopped) {
                  start();
                }
              }
            });
  }

  void stop() {
    stopped = true;
    vertx.cancelTimer(timer);
  }
}
