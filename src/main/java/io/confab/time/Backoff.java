package io.confab.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait before the next try: doubled after each, up to a bound, and between half
/// and the whole of it at random, so that many do not come at once.
public final class Backoff {
  private final Duration first;
  private final Duration most;
  private final RandomGenerator random;
  private Duration current;

  public Backoff(Duration first, Duration most, RandomGenerator random) {
    this.first = first;
    this.most = most;
    this.random = random;
    this.current = first;
  }

  /// The pause before the next try.
  public Duration next() {
    long whole = current.toNanos();
    Duration doubled = current.multipliedBy(2);
    current = doubled.compareTo(most) > 0 ? most : doubled;
    return Duration.ofNanos(random.nextLong(whole / 2, whole + 1));
  }

  /// Whether nothing failed since the last success.
  public boolean isFirst() {
    return current.equals(first);
  }

  /// It worked: begin anew.
  public void reset() {
    current = first;
  }
}
