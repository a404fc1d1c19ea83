package io.confab.bus;

import java.util.BitSet;

/// Which numbered messages of one sender have come: each is taken once, in any order within a
/// window (RFC 4303 §3.4.3), and none from before it. Not for several threads.
final class ReplayWindow {
  private static final int SIZE = 262_144;

  private final BitSet seen = new BitSet(SIZE);
  private long highest = -1;

  /// Whether this number has not been taken before; it is now.
  ///
  /// @param number from 0 on
  boolean take(long number) {
    if (number > highest) {
      forget(highest + 1, number);
      highest = number;
    } else if (number <= highest - SIZE || seen.get(slot(number))) {
      return false;
    }
    seen.set(slot(number));
    return true;
  }

  /// The slots of these numbers are those of numbers that fall out of the window.
  private void forget(long from, long to) {
    if (to - from >= SIZE) {
      seen.clear();
      return;
    }
    for (long number = from; number <= to; number++) {
      seen.clear(slot(number));
    }
  }

  private static int slot(long number) {
    return (int) (number % SIZE);
  }
}
