package io.confab.time;

import io.vertx.core.Vertx;
import java.time.Duration;

/// Runs something after a while in which the event loop was awake, unless it is cancelled before.
///
/// The while passes in steps, and each begins when the one before is over: time in which the loop
/// stood still counts as one step, and what came meanwhile is received before the next one ends.
/// Belongs to one event loop.
public final class Patience {
  private static final int STEPS = 4;

  private final Ticks steps;
  private int passed;

  private Patience(Vertx vertx, Duration whole, Runnable lost) {
    this.steps = new Ticks(vertx, whole.dividedBy(STEPS), () -> pass(lost));
  }

  public static Patience start(Vertx vertx, Duration whole, Runnable lost) {
    Patience patience = new Patience(vertx, whole, lost);
    patience.steps.start();
    return patience;
  }

  private void pass(Runnable lost) {
    passed++;
    if (passed == STEPS) {
      cancel();
      lost.run();
    }
  }

  public void cancel() {
    steps.stop();
  }
}
