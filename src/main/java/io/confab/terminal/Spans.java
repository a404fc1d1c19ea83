package io.confab.terminal;

/// Spans of time, for a person.
final class Spans {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private Spans() {}

  /// In the greatest unit of which it is a whole number.
  static String text(int seconds) {
    if (seconds % DAY == 0) {
      return seconds / DAY + " d";
    }
    if (seconds % HOUR == 0) {
      return seconds / HOUR + " h";
    }
    return seconds % MINUTE == 0 ? seconds / MINUTE + " min" : seconds + " s";
  }
}
