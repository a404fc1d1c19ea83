package io.confab.simulation;

import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/// The time of a node that is simulated: pauses end with its life.
record SimTiming(SimNode node, Scheduler scheduler) implements Timing {
  @Override
  public long nanoTime() {
    return scheduler.nanos();
  }

  @Override
  public Future<Void> pause(Duration duration) {
    Promise<Void> end = Promise.promise();
    node.after(duration.toNanos(), end::complete);
    return end.future();
  }
}
