package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.draft;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Rev;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sends, edits and deletions in the same rooms over connections that do not keep to a lane,
/// with keys that several of them use for the same and for different things; then the
/// invariants of the database are checked, and every answer against what is stored.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class ChangeTortureIT {
  private static final int CONNECTIONS = 6;
  private static final int STEPS = 250;
  private static final int ROOMS = 3;
  private static final int PEOPLE = 2;
  private static final int SEQS = 40;
  private static final int KEYS = 400;

  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

  private record Answer(MessageChange change, ChangeOutcome outcome) {}

  private record Key(long sender, String clientId) {}

  @Test
  void changesAndSendsDoNotGetIntoEachOthersWay(Vertx vertx) throws SQLException {
    try (OwnPostgres server = new OwnPostgres()) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      for (int room = 1; room <= ROOMS; room++) {
        Chat.execute(server.url(), Chat.room(room, "group", 1, PEOPLE));
      }
      Chat.execute(server.url(), "UPDATE room_member SET role = 'admin' WHERE account_id = 1");
      Database database = Chat.database(vertx, server.url());
      List<AppendStore> logs = new ArrayList<>();
      List<Future<Void>> runs = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        AppendStore log = new AppendStore(database, Chat.PATIENT, TestConfig.queues());
        await(log.connect());
        logs.add(log);
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        runs.add(run(logs.get(i), new Random(i), STEPS));
      }
      for (Future<Void> run : runs) {
        await(run);
      }
      check(server);
      await(Future.all(logs.stream().map(AppendStore::close).toList()));
      await(database.close());
    }
  }

  private Future<Void> run(AppendStore log, Random random, int steps) {
    return steps == 0
        ? Future.succeededFuture()
        : step(log, random).compose(_ -> run(log, random, steps - 1));
  }

  private Future<?> step(AppendStore log, Random random) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> log.append(group(random));
      default -> {
        List<MessageChange> run = new ArrayList<>();
        for (int i = random.nextInt(2) == 0 ? 0 : random.nextInt(8); i >= 0; i--) {
          run.add(random.nextInt(10) == 0 ? deletion(random) : edit(random));
        }
        yield log.change(run).onSuccess(outcomes -> answered(run, outcomes));
      }
    };
  }

  private void answered(List<MessageChange> run, List<ChangeOutcome> outcomes) {
    for (int i = 0; i < run.size(); i++) {
      answers.add(new Answer(run.get(i), outcomes.get(i)));
    }
  }

  private static MessageChange deletion(Random random) {
    return Chat.deletion(
        1 + random.nextLong(ROOMS), 1 + random.nextLong(SEQS), 1 + random.nextLong(PEOPLE));
  }

  /// What an edit is about follows from its key, so that most with one key are retries.
  private static MessageChange edit(Random random) {
    long key = random.nextLong(KEYS);
    String body = random.nextInt(10) == 0 ? "other" : key % 3 == 0 ? "new" : "new for " + name(key);
    return Chat.edit(1 + key % ROOMS, 1 + key / ROOMS % SEQS, 1 + key % PEOPLE, "k" + key, body);
  }

  private static String name(long number) {
    return number % 7 == 0 ? "@all" : "@a" + (1 + number / 3 % PEOPLE);
  }

  private static List<Draft> group(Random random) {
    List<Draft> group = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String clientId = random.nextInt(20) == 0 ? "k" : "s";
      group.add(
          draft(
              1 + random.nextInt(ROOMS),
              1 + random.nextInt(PEOPLE),
              clientId + random.nextInt(KEYS),
              "body for " + name(random.nextInt(KEYS))));
    }
    return group;
  }

  /// Everybody stays, and the rooms are small.
  private static final String MENTIONED_OTHERWISE =
      """
      SELECT count(*) FROM message m WHERE m.mentions IS DISTINCT FROM
        CASE WHEN m.body LIKE '%@all' THEN '{0}'::bigint[]
             WHEN substring(m.body FROM '@a([0-9]+)')::bigint <> m.sender_id
               THEN ARRAY[substring(m.body FROM '@a([0-9]+)')::bigint] END\
      """;

  private void check(OwnPostgres server) throws SQLException {
    assertThat(server.log()).doesNotContain("deadlock detected");
    for (String offenders : Chat.INVARIANTS) {
      assertThat(count(server, offenders)).as(offenders).isZero();
    }
    assertThat(count(server, MENTIONED_OTHERWISE)).as("mentions but as last said").isZero();
    Map<Key, Rev> revs = new HashMap<>();
    Map<String, Integer> counts = new TreeMap<>();
    for (Answer answer : answers) {
      switch (answer.outcome()) {
        case ChangeOutcome.Made made -> {
          counts.merge("made", 1, Integer::sum);
          if (answer.change() instanceof MessageChange.Edit edit) {
            assertThat(revs.put(key(edit), made.rev())).as("made once: %s", edit).isNull();
          }
        }
        case ChangeOutcome.Known _ -> counts.merge("known", 1, Integer::sum);
        case ChangeOutcome.Refused(var reason) ->
            counts.merge(reason.code().wire(), 1, Integer::sum);
      }
    }
    for (Answer answer : answers) {
      if (answer.outcome() instanceof ChangeOutcome.Known(var rev, _)
          && answer.change() instanceof MessageChange.Edit edit) {
        assertThat(revs).as("%s", edit).containsEntry(key(edit), rev);
      }
    }
    System.out.println("changes: " + counts);
    assertThat(counts).containsKeys("made", "known");
    assertThat(counts)
        .containsKeys(
            ErrorCode.IDEMPOTENCY_MISMATCH.wire(),
            ErrorCode.GONE.wire(),
            ErrorCode.FORBIDDEN.wire());
  }

  private static Key key(MessageChange.Edit edit) {
    return new Key(edit.caller().value(), edit.clientId().value());
  }

  private static long count(OwnPostgres server, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
