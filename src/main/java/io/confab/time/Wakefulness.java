package io.confab.time;

import java.time.Duration;

/// Notices that this process slept: it was stopped or starved, or collected garbage. Nobody could
/// be heard meanwhile, so whoever judges others by their silence begins anew then.
public final class Wakefulness {
  private final long pauseNanos;
  private long lookedAt;

  /// @param pause how long after a look the next one is not just late: several of their periods
  /// @param now nanoseconds from anywhere, as at each look
  public Wakefulness(Duration pause, long now) {
    this.pauseNanos = pause.toNanos();
    this.lookedAt = now;
  }

  /// To be called at each look; whether the process slept since the one before.
  public boolean slept(long now) {
    boolean slept = now - lookedAt >= pauseNanos;
    lookedAt = now;
    return slept;
  }
}
