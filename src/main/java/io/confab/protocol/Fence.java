package io.confab.protocol;

/// Says which of two sessions of a device is the newer one: its number is drawn from PostgreSQL at
/// `hello`, and rises within an epoch. Other words for it: fencing token.
public record Fence(Epoch epoch, long number) implements Comparable<Fence> {
  private static final int DIGITS = 19;

  public boolean isAfter(Fence other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(Fence other) {
    int byEpoch = epoch.compareTo(other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(number, other.number);
  }

  /// A text that has the same order.
  public String text() {
    return padded(epoch.value()) + "." + padded(number);
  }

  public static Fence parse(String text) {
    return new Fence(
        new Epoch(Long.parseLong(text.substring(0, DIGITS))),
        Long.parseLong(text.substring(DIGITS + 1)));
  }

  private static String padded(long value) {
    String digits = Long.toString(value);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }
}
