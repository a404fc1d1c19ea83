package io.confab.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/// What the table says of messages in rooms of two.
final class Sends {
  static final int ROOMS = 500;

  /// Both people of a room speak.
  static final int SENDERS = 2;

  static final Pace SATURATED = new Pace.Closed(256);

  private Sends() {}

  static TrafficCell.Shape shape(String name, Pace pace, double seconds) {
    return new TrafficCell.Shape(name, pace, SENDERS, seconds, Sends::figures);
  }

  static Map<String, Double> figures(
      String name, Outcome outcome, Load load, OptionalLong allocated) {
    double sends = outcome.sent();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(name + ": sends/s", sends / outcome.seconds());
    for (Role role : Role.values()) {
      if (load.micros().containsKey(role)) {
        figures.put(name + ": " + role.word() + ", µs a send", load.of(role) / sends);
      }
    }
    figures.put(name + ": all of it, µs a send", load.total() / sends);
    figures.put(name + ": the driver beside it, µs a send", load.driver() / sends);
    allocated.ifPresent(bytes -> figures.put(name + ": B allocated a send", bytes / sends));
    figures.put(name + ": ack p50, ms", Outcome.millis(outcome.acks(), 50));
    figures.put(name + ": ack p99, ms", Outcome.millis(outcome.acks(), 99));
    figures.put(name + ": other client p99, ms", Outcome.millis(outcome.received(), 99));
    return figures;
  }
}
