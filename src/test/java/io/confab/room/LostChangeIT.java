package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.AccountSignal;
import io.confab.postgres.Migrations;
import io.confab.postgres.Outages;
import io.confab.postgres.PostgresLogins;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.RoomView;
import io.confab.testing.Futures;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A backend that is ended while its commit waits for a standby has committed, but cannot say so.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class LostChangeIT {
  private static final int ACCOUNTS = 300;

  @Test
  void ofAChangeThatNobodyHeardOfEverybodyConcernedIsTold(Vertx vertx) throws SQLException {
    try (OwnPostgres server = new OwnPostgres()) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      execute(
          server,
          "INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, "
              + ACCOUNTS
              + ") g");
      try (RoomNode node = new RoomNode(vertx, server.url())) {
        RoomId room = node.create(new AccountId(1), RoomType.CHANNEL, "C", List.of()).roomId();
        int joined = untilOneIsLost(server, node, room);

        AccountId last = new AccountId(joined);
        Awaitility.await() // where the answer was late, what was there before may have been told
            .until(() -> new Rev(joined).equals(node.announcer.moved.get(room)));
        assertThat(node.announcer.signals).contains(new AccountSignal.Added(last, room));
        assertThat(node.announcer.events).hasSize(joined - 1);
        assertThat(node.get(new Join(last, room)).room().role()).isNotNull();
        assertThat(node.announcer.events).hasSize(joined - 1);
      }
    }
  }

  /// Joins with one account after the other until the backend is ended while it waits for a
  /// standby; answers the number of the last one.
  private static int untilOneIsLost(OwnPostgres server, RoomNode node, RoomId room)
      throws SQLException {
    waitForStandby(server, "'nobody'");
    List<Future<RoomView>> asked = new ArrayList<>();
    Awaitility.await()
        .until(
            () -> {
              if (asked.isEmpty() || asked.getLast().isComplete()) {
                asked.add(node.ask(new Join(new AccountId(asked.size() + 2), room)));
              }
              return endWaiting(server);
            });
    waitForStandby(server, "''");
    assertThatThrownBy(() -> Futures.get(asked.getLast().recover(Outages::refuse)))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    return asked.size() + 1;
  }

  private static void waitForStandby(OwnPostgres server, String name) throws SQLException {
    execute(server, "ALTER SYSTEM SET synchronous_standby_names = " + name);
    execute(server, "SELECT pg_reload_conf()");
  }

  private static boolean endWaiting(OwnPostgres server) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'")) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  private static void execute(OwnPostgres server, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
