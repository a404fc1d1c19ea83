package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Counts every statement that PostgreSQL runs for a send, an edit or a deletion, those inside
/// functions included.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SendStatementsIT {
  private static final List<Integer> MEMBERS = List.of(1, 100, 10_000);
  private static final String COUNT =
      """
      SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
       WHERE query !~ 'pg_stat_statements'\
      """;

  @Test
  void eachCostsTheSameStatementsHoweverManyMembersTheRoomHas(Vertx vertx) throws SQLException {
    try (OwnPostgres server =
        new OwnPostgres(
            "shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track=all")) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      Chat.execute(server.url(), "CREATE EXTENSION pg_stat_statements");
      for (int members : MEMBERS) {
        Chat.execute(server.url(), Chat.room(members, "group", 1, members));
      }
      Database database = Chat.database(vertx, server.url());
      AppendStore log = Chat.log(database);
      List<Long> lone = new ArrayList<>();
      List<Long> grouped = new ArrayList<>();
      for (int members : MEMBERS) {
        lone.add(statements(server, log, members, 1));
        grouped.add(statements(server, log, members, 50));
      }
      List<Long> edits = new ArrayList<>();
      List<Long> deletions = new ArrayList<>();
      for (int members : MEMBERS) {
        MessageChange edit = Chat.edit(members, 1, 1, "edit-" + members, "edited");
        edits.add(statements(server, () -> await(log.change(edit))));
        deletions.add(statements(server, () -> await(log.change(Chat.deletion(members, 1, 1)))));
      }
      System.out.println("statements: edits " + edits + ", deletions " + deletions);
      assertThat(edits).containsOnly(edits.getFirst());
      assertThat(deletions).containsOnly(deletions.getFirst());
      System.out.println("statements: lone " + lone + ", a group of 50 " + grouped);
      assertThat(lone).containsOnly(lone.getFirst());
      assertThat(grouped).containsOnly(grouped.getFirst());
      await(log.close());
      await(database.close());
    }
  }

  private static long statements(OwnPostgres server, AppendStore log, int room, int size)
      throws SQLException {
    List<Draft> group =
        IntStream.range(0, size)
            .mapToObj(i -> Chat.draft(room, 1, room + "-" + size + "-" + i))
            .toList();
    return statements(server, () -> await(log.append(group)));
  }

  private static long statements(OwnPostgres server, Runnable call) throws SQLException {
    Chat.execute(server.url(), "SELECT pg_stat_statements_reset()");
    call.run();
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(COUNT)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
