package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.chaos.RoomGate.Waiting;
import java.time.Duration;
import java.util.function.Consumer;
import org.awaitility.core.ConditionTimeoutException;

/// Freezes a node while its change of a room waits in PostgreSQL for the room's lock, or as it is
/// where none comes soon: nobody may speak meanwhile. For one thread.
record FrozenInAChange(Servers servers, Machine machine) {
  private static final Duration LOOKS = Duration.ofMillis(5);
  private static final Duration SOON = Duration.ofSeconds(10);

  /// Answers when the node stands still and nobody else holds the lock any more.
  ///
  /// @param lock what is locked
  /// @param change begins, or will come by itself
  void run(Consumer<RoomGate> lock, Runnable change) {
    try (RoomGate gate = new RoomGate(servers)) {
      lock.accept(gate);
      change.run();
      try {
        await("a change of " + machine.name() + " waits for its lock")
            .pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(LOOKS)
            .atMost(SOON)
            .until(() -> gate.waits(machine.postgres().serverSide(), Waiting::isChangeOfRoom));
      } catch (ConditionTimeoutException none) {
        System.out.println("chaos: " + machine.name() + " is frozen in no change");
      }
      machine.freeze();
    }
  }
}
