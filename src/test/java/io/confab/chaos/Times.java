package io.confab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// Durations of one kind, in nanoseconds, for a line of a report.
final class Times {
  private static final double MILLI = 1_000_000.0;

  private final List<Long> nanos = new ArrayList<>();

  void add(long duration) {
    nanos.add(duration);
  }

  void addAll(Times more) {
    nanos.addAll(more.nanos);
  }

  int size() {
    return nanos.size();
  }

  private double at(double part) {
    if (nanos.isEmpty()) {
      return 0;
    }
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    return sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * part))) / MILLI;
  }

  Duration p99() {
    return Duration.ofMillis((long) at(0.99));
  }

  /// `n | p50 | p99 | max`, in milliseconds.
  String cells() {
    return String.format(Locale.ROOT, "%d | %.0f | %.0f | %.0f", size(), at(0.5), at(0.99), at(1));
  }
}
