package io.confab.chaos;

import io.confab.ledger.History;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/// What all devices of a fleet share. For any thread.
///
/// @param nanos the one clock
/// @param machines in any state
/// @param anomalies what a server must never say to these clients, whatever breaks
/// @param resets views that a server did not resume although it could: nothing is lost by that, but
/// history has to be read
/// @param people accounts with devices, whom anybody may watch
record RunContext(
    LongSupplier nanos,
    History history,
    List<Machine> machines,
    AtomicBoolean accepting,
    Queue<String> anomalies,
    Queue<String> resets,
    Queue<String> people) {
  static RunContext of(History history, LongSupplier nanos, List<Machine> machines) {
    return new RunContext(
        nanos,
        history,
        List.copyOf(machines),
        new AtomicBoolean(),
        new ConcurrentLinkedQueue<>(),
        new ConcurrentLinkedQueue<>(),
        new ConcurrentLinkedQueue<>());
  }

  long millis() {
    return nanos.getAsLong() / 1_000_000;
  }
}
