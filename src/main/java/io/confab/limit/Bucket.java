package io.confab.limit;

import io.confab.config.Rate;
import java.time.Duration;

/// A token bucket, kept as the time at which it will be full again (the generic cell rate
/// algorithm, ITU-T I.371): each token taken moves that time on by the time in which one comes
/// back. It also counts the tokens that were taken here, less those given back, and not reported
/// to the other nodes yet. Not thread-safe.
final class Bucket {
  /// However much is overdrawn, a token is there again after this time.
  static final Duration LONGEST_DEBT = Duration.ofMinutes(5);

  private static final Duration IDLE = Duration.ofMinutes(10);

  private final long tokenNanos;
  private final long burstNanos;
  private long fullAt;
  private int unreported;
  private boolean reporting;

  /// Full.
  ///
  /// @param now by `System.nanoTime()`
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

  /// Tokens that are there.
  long tokens(long now) {
    return Math.max(0, burstNanos - missing(now)) / tokenNanos;
  }

  /// How long until it is full again.
  Duration untilFull(long now) {
    return Duration.ofNanos(missing(now));
  }

  /// Whether it has been full for so long that it says no more than one that begins now: the few
  /// tokens that it has not reported would be back everywhere.
  boolean isIdle(long now) {
    return !reporting && now - fullAt >= IDLE.toNanos();
  }

  /// Takes a token, whether or not there is one: an overdraft has to come back first, at most
  /// [#LONGEST_DEBT] of it.
  void take(long now) {
    owe(now, missing(now) + tokenNanos);
    unreported++;
  }

  /// Gives a token back that was taken.
  void giveBack(long now) {
    owe(now, Math.max(0, missing(now) - tokenNanos));
    unreported--;
  }

  private void owe(long now, long missing) {
    fullAt = now + Math.min(missing, burstNanos + LONGEST_DEBT.toNanos());
  }

  /// Tokens to report to the other nodes now, zero for none: a chunk or more, one report at a
  /// time. Negative: given back.
  int report(int chunk) {
    if (reporting || Math.abs(unreported) < chunk) {
      return 0;
    }
    int tokens = unreported;
    unreported = 0;
    reporting = true;
    return tokens;
  }

  /// The report arrived. Tokens taken since then come on top. A bucket never gets fuller by a
  /// report, so a Redis that lost its data lets nobody through.
  ///
  /// @param missing how long the bucket of all nodes takes to be full again
  void reported(Duration missing, long now) {
    reporting = false;
    owe(now, Math.max(missing(now), missing.toNanos() + unreported * tokenNanos));
  }

  /// The report failed. The bucket goes on alone, and the tokens are not reported again, since the
  /// report may have arrived.
  void reportFailed() {
    reporting = false;
  }
}
