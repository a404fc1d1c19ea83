package io.confab.redis;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait before the next attempt: doubled each time up to a limit, and spread at random
/// over the upper half, so that nodes do not come back in step.
record Backoff(Duration first, Duration most) {
  private static final int DOUBLINGS = 20;

  /// @param failures attempts that failed in a row, at least one
  Duration delay(int failures, RandomGenerator random) {
    long doubled = first.toMillis() << Math.min(failures - 1, DOUBLINGS);
    long full = Math.min(doubled, most.toMillis());
    return Duration.ofMillis(full - random.nextLong(full / 2 + 1));
  }
}
