package io.confab.bench;

import java.util.Optional;
import org.HdrHistogram.Histogram;

/// What became of some traffic.
///
/// @param deliveries to all members, the senders too
/// @param seconds from the first send to the last acknowledgement
/// @param acks microseconds from when each was due to its acknowledgement
/// @param received the same to each member but the sender
/// @param fault what makes it void
record Outcome(
    int sent,
    long deliveries,
    double seconds,
    Histogram acks,
    Histogram received,
    Optional<String> fault) {
  private static final double MICROS_PER_MILLI = 1_000;

  static double millis(Histogram times, double percentile) {
    return times.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }
}
