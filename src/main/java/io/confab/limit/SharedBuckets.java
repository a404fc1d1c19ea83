package io.confab.limit;

import io.confab.config.Rate;
import io.vertx.core.Future;
import java.time.Duration;

/// The buckets that all nodes have in common.
public interface SharedBuckets {
  /// Takes tokens, or gives them back (negative), whether or not they are there; answers how long
  /// the bucket takes to be full again. Any failure means: unknown.
  Future<Duration> take(Limit limit, String who, Rate rate, int tokens);
}
