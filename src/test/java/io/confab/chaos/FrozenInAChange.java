package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.chaos.RoomGate.Waiting;
import java.time.Duration;
import java.util.function.Consumer;

/// Freezes a node while its change of a room waits in PostgreSQL for the room's lock. For one
/// thread.
record FrozenInAChange(Servers servers, Machine machine) {
  private static final Duration LOOKS = Duration.ofMillis(5);

  /// Answers when the node stands still and nobody else holds the lock any more.
  ///
  /// @param lock what is locked
  /// @param change begins, or will come by itself
  void run(Consumer<RoomGate> lock, Runnable change) {
    try (RoomGate gate = new RoomGate(servers)) {
      lock.accept(gate);
      change.run();
      await("a change of " + machine.name() + " waits for its lock")
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(LOOKS)
          .until(() -> gate.waits(machine.postgres().serverSide(), Waiting::isChangeOfRoom));
      machine.freeze();
    }
  }
}
