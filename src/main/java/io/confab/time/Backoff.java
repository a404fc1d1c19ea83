package io.confab.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait before the next try: a span that doubles with each failure in a row, up to a
/// bound. The first wait is drawn from the whole span, the later ones from its upper half, so
/// that clients and nodes that failed together do not come back together.
public final class Backoff {
  private static final int DOUBLINGS = 20;

  private final Duration first;
  private final Duration longest;
  private final RandomGenerator random;

  public Backoff(Duration first, Duration longest, RandomGenerator random) {
    this.first = first;
    this.longest = longest;
    this.random = random;
  }

  /// In whole milliseconds.
  ///
  /// @param failures tries in a row that failed before the last one
  public Duration delay(int failures) {
    long doubled = first.toMillis() << Math.min(failures, DOUBLINGS);
    long span = Math.min(longest.toMillis(), doubled);
    double least = failures == 0 ? 0 : span / 2.0;
    return Duration.ofMillis(Math.round(least + random.nextDouble() * (span - least)));
  }
}
