package io.confab.limit;

import io.confab.config.Rate;
import java.time.Duration;

/// A token bucket, kept as the time at which it will be full again (the generic cell rate
/// algorithm, ITU-T I.371): each token taken moves that time on by what one takes to come back.
/// And how much of what was taken here the other nodes do not know yet. Not thread-safe.
final class Bucket {
  /// However much is taken beyond, a token is there again after so long.
  static final Duration LONGEST_DEBT = Duration.ofMinutes(5);

  private final long tokenNanos;
  private final long burstNanos;
  private long fullAt;
  private int untold;
  private boolean telling;

  /// Full.
  ///
  /// @param now as `System.nanoTime()` tells it
  Bucket(Rate rate, long now) {
    this.tokenNanos = Math.max(1, rate.per().toNanos() / rate.count());
    this.burstNanos = tokenNanos * rate.burst();
    this.fullAt = now;
  }

  /// How long until there is a token; zero if there is one.
  Duration delay(long now) {
    return Duration.ofNanos(Math.max(0, missing(now) + tokenNanos - burstNanos));
  }

  private long missing(long now) {
    return Math.max(0, fullAt - now);
  }

  /// Takes a token, whether or not there is one: what is taken beyond has to come back first, at
  /// most [#LONGEST_DEBT] of it.
  void take(long now) {
    owe(now, missing(now) + tokenNanos);
    untold++;
  }

  private void owe(long now, long missing) {
    fullAt = now + Math.min(missing, burstNanos + LONGEST_DEBT.toNanos());
  }

  /// What to tell the other nodes now, zero for nothing: a chunk or more, one message at a time.
  int tell(int chunk) {
    if (telling || untold < chunk) {
      return 0;
    }
    int told = untold;
    untold = 0;
    telling = true;
    return told;
  }

  /// The others were told. What was taken since then comes on top. A bucket never gets fuller by
  /// it, so a Redis that forgot lets nobody through.
  ///
  /// @param missing how long all nodes' bucket takes to be full again
  void told(Duration missing, long now) {
    telling = false;
    owe(now, Math.max(missing(now), missing.toNanos() + untold * tokenNanos));
  }

  /// Nobody could be told; it goes on alone, and what was not told stays untold for good, as it
  /// may have been heard.
  void untold() {
    telling = false;
  }
}
