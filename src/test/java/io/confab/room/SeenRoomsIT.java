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

/// Counts the statements by which sessions that are signalled together look at a room.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class SeenRoomsIT {
  private static final int MEMBERS = 1_000;

  @Test
  void aThousandWhoLookAtARoomAtOnceCostAFewStatements(Vertx vertx) throws SQLException {
    try (OwnPostgres server = new OwnPostgres("shared_preload_libraries=pg_stat_statements")) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      execute(server, "CREATE EXTENSION pg_stat_statements");
      execute(
          server, "INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 1000) g");
      try (RoomNode node = new RoomNode(vertx, server.url())) {
        List<AccountId> members =
            IntStream.rangeClosed(2, MEMBERS).mapToObj(AccountId::new).toList();
        RoomId room = node.create(new AccountId(1), RoomType.GROUP, "G", members).roomId();
        execute(server, "SELECT pg_stat_statements_reset()");
        Promise<List<Future<RoomView>>> asked = Promise.promise();
        vertx
            .getOrCreateContext()
            .runOnContext( // in one turn: nobody is answered before all have asked
                _ ->
                    asked.complete(
                        members.stream()
                            .map(member -> node.ask(new GetRoom(member, room)))
                            .toList()));
        List<Future<RoomView>> looks = Futures.get(asked.future());
        Futures.get(Future.all(looks));
        assertThat(looks).allMatch(look -> look.result().room().role() != null);
        assertThat(calls(server)).isBetween(1L, 10L);
      }
    }
  }

  private static long calls(OwnPostgres server) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT sum(calls) FROM pg_stat_statements WHERE query ~ 'room_member'")) {
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
