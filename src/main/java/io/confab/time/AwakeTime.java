package io.confab.time;

import java.time.Duration;

/// The time in which this process was awake, by which it judges the silence of others.
///
/// Between two looks that are further apart than usual it was stopped or starved, or collected
/// garbage, and heard nobody: one period of them passes then. What came meanwhile is received
/// before the next look. So a process that always looks late gives others as many looks as one
/// that does not, and no more.
public final class AwakeTime {
  private final long periodNanos;
  private long passed;
  private long lookedAt;

  /// @param period of the looks
  /// @param now nanoseconds from anywhere, as at each look
  public AwakeTime(Duration period, long now) {
    this.periodNanos = period.toNanos();
    this.lookedAt = now;
  }

  /// Nanoseconds of it since the beginning.
  public long at(long now) {
    return passed + Math.min(now - lookedAt, periodNanos);
  }

  /// To be called once a period; answers as [#at].
  public long look(long now) {
    passed = at(now);
    lookedAt = now;
    return passed;
  }
}
