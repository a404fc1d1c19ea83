package io.confab.time;

import io.vertx.core.Future;
import java.time.Duration;

/// The passing of time for a writer.
public interface Timing {
  long nanoTime();

  Future<Void> pause(Duration duration);
}
