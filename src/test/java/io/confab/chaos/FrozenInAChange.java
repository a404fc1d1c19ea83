package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient.Person;
import io.confab.testing.TestDatabase;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/// Freezes a node while its change of a room's members waits in PostgreSQL for the room's lock. For
/// one thread.
final class FrozenInAChange {
  private static final Duration LOOKS = Duration.ofMillis(5);

  /// What waits for a lock, by the port from which it is connected.
  private static final String WAITING =
      """
      SELECT client_port FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query !~ 'append_messages|change_messages'\
      """;

  private final Stage stage;
  private final Machine machine;

  FrozenInAChange(Stage stage, Machine machine) {
    this.stage = stage;
    this.machine = machine;
  }

  /// Answers when the node stands still and nobody else holds the lock any more.
  void run(Person joins, String room) {
    try (Connection gate = TestDatabase.connect(stage.servers().postgres().url());
        Connection observer = TestDatabase.connect(stage.servers().postgres().url())) {
      gate.setAutoCommit(false);
      gate.createStatement()
          .execute(
              "SELECT 1 FROM room_position WHERE room_id = %d FOR UPDATE"
                  .formatted(RoomId.parse(room).value()));
      Thread.ofVirtual().start(() -> join(joins, room));
      await("a change of " + room + " waits for its lock")
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(LOOKS)
          .until(() -> waits(observer));
      machine.freeze();
      gate.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void join(Person joins, String room) {
    try {
      joins.at(machine.port()).call("POST", "/v1/rooms/" + room + "/join", null);
    } catch (UncheckedIOException frozen) {
      // what becomes of it does not matter
    }
  }

  private boolean waits(Connection observer) throws SQLException {
    Set<Integer> ports = machine.postgres().serverSide();
    try (ResultSet rows = observer.createStatement().executeQuery(WAITING)) {
      boolean found = false;
      while (rows.next()) {
        found |= ports.contains(rows.getInt(1));
      }
      return found;
    }
  }
}
