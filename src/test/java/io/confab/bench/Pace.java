package io.confab.bench;

/// How fast messages are sent.
sealed interface Pace {
  /// An open loop: so many a second, whatever comes back, some of them together.
  record Open(double perSecond, int together) implements Pace {}

  /// A closed loop: so many are under way at any time.
  record Closed(int underWay) implements Pace {}

  static Pace open(double perSecond) {
    return new Open(perSecond, 1);
  }
}
