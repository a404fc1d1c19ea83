package io.confab.time;

import io.vertx.core.Vertx;
import java.time.Duration;

/// Turns the wheel of an event loop: an idle loop wakes twice a second, when others do too
/// ([Moments]), one with something due sooner for that.
public final class WheelDriver {
  private static final Duration LONGEST = Duration.ofMillis(500);

  private final Vertx vertx;
  private final TimingWheel wheel;
  private long timer;

  private WheelDriver(Vertx vertx, TimingWheel wheel) {
    this.vertx = vertx;
    this.wheel = wheel;
  }

  /// For the calling context, for as long as Vert.x lives.
  public static void start(Vertx vertx, TimingWheel wheel) {
    new WheelDriver(vertx, wheel).sleep();
  }

  private void sleep() {
    long sleepMs = wheel.sleep(Moments.until(LONGEST), this::wake).toMillis();
    timer =
        vertx.setTimer(
            sleepMs,
            _ -> {
              wheel.advance();
              sleep();
            });
  }

  private void wake() {
    vertx.cancelTimer(timer);
    sleep();
  }
}
