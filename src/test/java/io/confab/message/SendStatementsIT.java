package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.testing.OwnPostgres;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Counts the statements that PostgreSQL runs for sends, edits and deletions: inside the functions,
/// and those from outside.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SendStatementsIT {
  private static final List<Integer> MEMBERS = List.of(1, 100, 10_000);
  private static final String INSIDE =
      "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE NOT toplevel";

  /// Each is a transaction.
  private static final String RUNS =
      """
      SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
       WHERE toplevel AND query ~ 'FROM change_messages'\
      """;

  /// Those over columns, which cost a lone row twice what they would without.
  private static final String GROUPED =
      "SELECT count(*) FROM pg_stat_statements WHERE NOT toplevel AND query ~ 'unnest'";

  private interface Story {
    void tell(OwnPostgres server, Database database) throws SQLException;
  }

  private static void tell(Vertx vertx, Story story) throws SQLException {
    try (OwnPostgres server =
        new OwnPostgres(
            "shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track=all")) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      Chat.execute(server.url(), "CREATE EXTENSION pg_stat_statements");
      for (int members : MEMBERS) {
        Chat.execute(server.url(), Chat.room(members, "group", 1, members));
      }
      Database database = Chat.database(vertx, server.url());
      story.tell(server, database);
      await(database.close());
    }
  }

  /// One transaction for what is in flight and one for all that waited meanwhile.
  @Test
  void editsInARowAreOneTransactionWhetherInOneRoomOrSeveral(Vertx vertx) throws SQLException {
    tell(
        vertx,
        (server, database) -> {
          AppendStore log = Chat.log(database);
          for (int room : MEMBERS) {
            await(log.append(drafts(room, 60)));
          }
          await(log.close());
          MessageWriter writer =
              new MessageWriters(
                      database,
                      new RecordingAnnouncer(),
                      TestConfig.patient(TestConfig.node(Path.of("."))),
                      new Meters())
                  .plain(vertx);
          Context loop = vertx.getOrCreateContext();
          Function<List<MessageChange>, List<Changed>> ask =
              changes ->
                  await(
                      Future.future(
                          done ->
                              loop.runOnContext(
                                  _ ->
                                      Future.all(changes.stream().map(writer::change).toList())
                                          .map(CompositeFuture::<Changed>list)
                                          .onComplete(done))));
          assertThat(ask.apply(edits("warm", 1, _ -> 1))).hasSize(1);
          for (List<Integer> rooms : List.of(List.of(1), MEMBERS)) {
            IntUnaryOperator room = i -> rooms.get(i % rooms.size());
            String name = "in " + rooms;
            List<MessageChange> changes = edits(name, 50, room);
            assertThat(count(server, RUNS, () -> assertThat(ask.apply(changes)).hasSize(50)))
                .as(name)
                .isEqualTo(2);
          }
          await(Future.future(done -> loop.runOnContext(_ -> writer.close().onComplete(done))));
        });
  }

  private static List<MessageChange> edits(String name, int size, IntUnaryOperator room) {
    return IntStream.range(0, size)
        .<MessageChange>mapToObj(
            i -> Chat.edit(room.applyAsInt(i), 1 + i, 1, name + "-" + i, "edited"))
        .toList();
  }

  @Test
  void eachCostsTheSameStatementsHoweverManyMembersTheRoomHas(Vertx vertx) throws SQLException {
    tell(vertx, SendStatementsIT::eachCostsTheSame);
  }

  private static void eachCostsTheSame(OwnPostgres server, Database database) throws SQLException {
    AppendStore log = Chat.log(database);
    Map<String, List<Long>> costs = new LinkedHashMap<>();
    for (int members : MEMBERS) {
      List<MessageChange> run = edits("run-" + members, 50, _ -> members);
      MessageChange edit = Chat.edit(members, 1, 1, "edit-" + members, "edited");
      MessageChange deletion = Chat.deletion(members, 1, 1);
      Map<String, Runnable> calls = new LinkedHashMap<>();
      calls.put("a send", () -> await(log.append(drafts(members, 1))));
      calls.put("50 sends", () -> await(log.append(drafts(members, 50))));
      calls.put("a send that mentions", () -> await(log.append(mentioning(members, 1))));
      calls.put("50 sends that mention", () -> await(log.append(mentioning(members, 50))));
      calls.put("an edit", () -> await(log.change(List.of(edit))));
      calls.put("50 edits", () -> await(log.change(run)));
      calls.put("a deletion", () -> await(log.change(List.of(deletion))));
      for (var call : calls.entrySet()) {
        costs
            .computeIfAbsent(call.getKey(), _ -> new ArrayList<>())
            .add(count(server, INSIDE, call.getValue()));
      }
      for (MessageChange alone :
          List.of(
              Chat.edit(members, 2, 1, "alone-" + members, "x"), Chat.deletion(members, 2, 1))) {
        assertThat(count(server, GROUPED, () -> await(log.change(List.of(alone)))))
            .as("%s", alone)
            .isZero();
      }
    }
    System.out.println("statements: " + costs);
    assertThat(costs.values()).allSatisfy(cost -> assertThat(cost).containsOnly(cost.getFirst()));
    assertThat(mentions(costs, "a send")).isEqualTo(2);
    assertThat(mentions(costs, "50 sends")).isEqualTo(3);
    await(log.close());
  }

  /// How many statements more it takes to mention somebody.
  private static long mentions(Map<String, List<Long>> costs, String call) {
    String with = call + (call.endsWith("s") ? " that mention" : " that mentions");
    return costs.getOrDefault(with, List.of()).getFirst()
        - costs.getOrDefault(call, List.of()).getFirst();
  }

  private static List<Draft> mentioning(int room, int size) {
    return IntStream.range(0, size)
        .mapToObj(
            i -> Chat.draft(room, 1, room + "-mentions-" + size + "-" + i, "@a2 @online @a9999 @b"))
        .toList();
  }

  private static List<Draft> drafts(int room, int size) {
    return IntStream.range(0, size)
        .mapToObj(i -> Chat.draft(room, 1, room + "-" + size + "-" + i))
        .toList();
  }

  private static long count(OwnPostgres server, String sql, Runnable call) throws SQLException {
    Chat.execute(server.url(), "SELECT pg_stat_statements_reset()");
    call.run();
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
