package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/// Holds the locks of rooms in PostgreSQL, and sees who waits for them. For one thread.
final class RoomGate implements AutoCloseable {
  private static final String NEWEST =
      "room_id = (SELECT room_id FROM message ORDER BY ts DESC LIMIT 1)";

  private static final String WAITING =
      """
      SELECT client_port, query FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'\
      """;

  private static final String APPEND = "append_message";
  private static final String APPEND_SEALED = "append_envelopes";
  private static final String CHANGE = "change_messages";

  private static final int TRIES = 20;
  private static final Duration SOON = Duration.ofSeconds(2);

  private final Connection gate;
  private final Connection observer;

  /// A statement that waits for a lock.
  ///
  /// @param port from which it is connected
  record Waiting(int port, String query) {
    boolean isSend() {
      return query.contains(APPEND) || query.contains(APPEND_SEALED);
    }

    /// Whether it changes what a room is, or who is in it.
    boolean isChangeOfRoom() {
      return !isSend() && !query.contains(CHANGE);
    }
  }

  RoomGate(Servers servers) {
    try {
      this.gate = TestDatabase.connect(servers.postgres().url());
      this.observer = TestDatabase.connect(servers.postgres().url());
      gate.setAutoCommit(false);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void lock(long room) {
    lock("room_id = " + room);
  }

  /// The room that was spoken in last, until somebody waits for it: nothing may be said for long in
  /// one that is quiet else. Answers how many wait.
  int lockBusy() {
    for (int i = 0; i < TRIES; i++) {
      lockNewest();
      try {
        return await()
            .pollInSameThread()
            .atMost(SOON)
            .until(() -> waiting().size(), waiting -> waiting > 0);
      } catch (ConditionTimeoutException quiet) {
        unlock();
      }
    }
    return 0;
  }

  /// The room that was spoken in last.
  void lockNewest() {
    lock(NEWEST);
  }

  void lockAll() {
    lock("true");
  }

  private void lock(String which) {
    try (Statement statement = gate.createStatement()) {
      statement.execute(
          "SELECT 1 FROM room_position WHERE " + which + " ORDER BY room_id FOR UPDATE");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void unlock() {
    try {
      gate.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean waits(Set<Integer> ports, Predicate<Waiting> wanted) {
    return waiting().stream().anyMatch(call -> ports.contains(call.port()) && wanted.test(call));
  }

  List<Waiting> waiting() {
    try (Statement statement = observer.createStatement();
        ResultSet rows = statement.executeQuery(WAITING)) {
      List<Waiting> calls = new ArrayList<>();
      while (rows.next()) {
        calls.add(new Waiting(rows.getInt(1), rows.getString(2)));
      }
      return calls;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try (gate;
        observer) {
      unlock();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
