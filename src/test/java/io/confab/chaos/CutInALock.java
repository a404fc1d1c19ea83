package io.confab.chaos;

import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.TcpProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/// Cuts all connections of a node to PostgreSQL while the call of one of its writers waits for the
/// lock of a room. That call may still commit, so the writer must end it before it looks up what
/// became of it. For one thread.
final class CutInALock {
  private static final int TRIES = 20;
  private static final long WAITED_FOR_MS = 1_500;
  private static final long WATCHED_MS = 2_000;
  private static final long PAUSE_MS = 10;

  private static final String LOCK =
      """
      SELECT 1 FROM room_position WHERE room_id = (SELECT room_id FROM message
       ORDER BY ts DESC LIMIT 1) FOR UPDATE\
      """;

  /// What waits for a lock, by the port from which it is connected.
  private static final String WAITING =
      """
      SELECT client_port, query FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'\
      """;

  private static final String APPEND = "append_messages";
  private static final String LOOK_UP = "room_position p WHERE p.room_id = ANY";

  private final RunContext world;
  private final Servers servers;
  private final Machine machine;

  CutInALock(RunContext world, Servers servers, Machine machine) {
    this.world = world;
    this.servers = servers;
    this.machine = machine;
  }

  /// Locks a room, cuts, watches, and unlocks.
  void run() {
    try (Connection gate = TestDatabase.connect(servers.postgres().url());
        Connection observer = TestDatabase.connect(servers.postgres().url())) {
      gate.setAutoCommit(false);
      for (int i = 0; i < TRIES; i++) {
        gate.createStatement().execute(LOCK);
        if (appendWaits(observer)) {
          cut(observer);
          return;
        }
        gate.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean appendWaits(Connection observer) throws SQLException, InterruptedException {
    long end = world.millis() + WAITED_FOR_MS;
    boolean waits = false;
    while (!waits && world.millis() < end) {
      Thread.sleep(PAUSE_MS);
      waits = waits(observer, machine.postgres().serverSide(), APPEND);
    }
    return waits;
  }

  private void cut(Connection observer) throws SQLException, InterruptedException {
    TcpProxy way = machine.postgres();
    Set<Integer> former = way.serverSide();
    way.reset();
    long end = world.millis() + WATCHED_MS;
    while (world.millis() < end) {
      Set<Integer> open = way.serverSide();
      open.removeAll(former);
      if (waits(observer, open, LOOK_UP) && waits(observer, former, APPEND)) {
        world.anomalies().add(machine.name() + " looks up what a former backend still does");
        return;
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private static boolean waits(Connection observer, Set<Integer> ports, String query)
      throws SQLException {
    try (ResultSet rows = observer.createStatement().executeQuery(WAITING)) {
      boolean found = false;
      while (rows.next()) {
        found |= ports.contains(rows.getInt(1)) && rows.getString(2).contains(query);
      }
      return found;
    }
  }
}
