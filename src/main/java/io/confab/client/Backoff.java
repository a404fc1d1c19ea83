package io.confab.client;

import java.util.random.RandomGenerator;

/// How long to wait before the next try, in milliseconds: 0 to 500 at random first, then a span
/// that doubles up to 30 s, of which the upper half is drawn from at random, so that those who
/// failed together do not come back together.
final class Backoff {
  private static final int FIRST = 500;
  private static final int LONGEST = 30_000;
  private static final int DOUBLINGS = 6;

  private final RandomGenerator random;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /// @param failures how many tries have failed before, the last one left out
  long delay(int failures) {
    double drawn = random.nextDouble();
    if (failures == 0) {
      return Math.round(drawn * FIRST);
    }
    int span = Math.min(LONGEST, FIRST << Math.min(failures, DOUBLINGS));
    return Math.round(span / 2.0 + drawn * span / 2.0);
  }
}
