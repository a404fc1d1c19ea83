package io.confab.message;

import io.vertx.core.Future;
import java.time.Duration;

/// The passing of time for a writer.
interface Timing {
  long nanoTime();

  Future<Void> pause(Duration duration);
}
