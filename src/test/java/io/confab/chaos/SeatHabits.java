package io.confab.chaos;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How people in rooms with a capacity come and go.
///
/// @param inside how long they stay inside, on average
/// @param outside and then outside, before they ask again
/// @param connected after what time they close their tab
record SeatHabits(Duration inside, Duration outside, Duration connected) {
  /// So many of ten come back within the grace.
  private static final int COME_BACK = 6;

  private static final long SOON_MS = 12_000;
  private static final long LATE_MS = 35_000;
  private static final long SPREAD_MS = 10_000;

  static long some(Duration mean, RandomGenerator random) {
    return 1 + (long) (random.nextExponential() * mean.toMillis());
  }

  /// For how many ms one is away: well within the grace, or long after it.
  static long absence(RandomGenerator random) {
    return random.nextInt(10) < COME_BACK
        ? 1 + random.nextLong(SOON_MS)
        : LATE_MS + random.nextLong(SPREAD_MS);
  }
}
