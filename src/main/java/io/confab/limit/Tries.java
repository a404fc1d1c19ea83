package io.confab.limit;

import java.time.Duration;

/// The failed tries of one account from one address: some are free, then each waits twice as long
/// as the one before, up to a longest wait; never for good. A try counts as failed from its
/// beginning, so many at once do not help.
///
/// @param count that failed or are under way
/// @param next when the next one may begin, by a clock that only goes forward
record Tries(int count, long next) {
  static final int FREE = 5;
  static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  /// After this time without a try all is forgotten.
  static final Duration MEMORY = Duration.ofHours(1);

  private static final int MOST_DOUBLINGS = 30;

  static Tries none(long now) {
    return new Tries(0, now);
  }

  /// How long the next try has to wait, zero for not at all.
  Duration delay(long now) {
    return Duration.ofNanos(Math.max(0, next - now));
  }

  /// The tries with one more, which begins now.
  Tries begin(long now) {
    int begun = count + 1;
    if (begun < FREE) {
      return new Tries(begun, now);
    }
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(begun - FREE, MOST_DOUBLINGS));
    return new Tries(
        begun, now + (wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT).toNanos());
  }

  /// The tries without one that nobody judged: the next may begin at once, as it might before.
  Tries withdraw(long now) {
    return new Tries(Math.max(0, count - 1), now);
  }

  boolean isForgotten(long now) {
    return now - next > MEMORY.toNanos();
  }
}
