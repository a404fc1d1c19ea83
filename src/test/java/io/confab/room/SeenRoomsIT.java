package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.RoomView;
import io.confab.testing.Futures;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Counts the statements that rooms with many members cost where they concern many at once.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SeenRoomsIT {
  private static final int MEMBERS = 1_000;
  private static final AccountId OWNER = new AccountId(1);
  private static final List<AccountId> OTHERS =
      IntStream.rangeClosed(2, MEMBERS).mapToObj(AccountId::new).toList();

  private interface Story {
    void tell(OwnPostgres server, RoomNode node) throws SQLException;
  }

  private static void tell(Vertx vertx, Story story) throws SQLException {
    try (OwnPostgres server =
        new OwnPostgres(
            "shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track=all")) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      execute(server, "CREATE EXTENSION pg_stat_statements");
      execute(
          server, "INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 1000) g");
      try (RoomNode node = new RoomNode(vertx, server.url())) {
        story.tell(server, node);
      }
    }
  }

  @Test
  void aThousandWhoLookAtARoomAtOnceCostAFewStatements(Vertx vertx) throws SQLException {
    tell(
        vertx,
        (server, node) -> {
          RoomId room = node.create(OWNER, RoomType.GROUP, "G", OTHERS).roomId();
          execute(server, "SELECT pg_stat_statements_reset()");
          Promise<List<Future<RoomView>>> asked = Promise.promise();
          vertx
              .getOrCreateContext()
              .runOnContext( // in one turn: nobody is answered before all have asked
                  _ ->
                      asked.complete(
                          OTHERS.stream()
                              .map(member -> node.ask(new GetRoom(member, room)))
                              .toList()));
          List<Future<RoomView>> looks = Futures.get(asked.future());
          Futures.get(Future.all(looks));
          assertThat(looks).allMatch(look -> look.result().room().role() != null);
          assertThat(calls(server, "toplevel AND query ~ 'room_member'")).isBetween(1L, 10L);
        });
  }

  @Test
  void theInvitationsOfAThousandWhoAreAskedAreCountedAtOnce(Vertx vertx) throws SQLException {
    tell(
        vertx,
        (server, node) -> {
          execute(server, "UPDATE account SET invites_from = 'nobody'");
          node.create(OWNER, RoomType.GROUP, "G", OTHERS);
          assertThat(calls(server, "NOT toplevel AND query ~ 'i.invited_by = by_'")).isEqualTo(1);
        });
  }

  private static long calls(OwnPostgres server, String which) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE " + which)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(OwnPostgres server, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
