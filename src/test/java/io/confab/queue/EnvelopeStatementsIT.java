package io.confab.queue;

import static io.confab.testing.Futures.get;
import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.postgres.WriterConnection;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.RegistrationId;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Counts the statements that PostgreSQL runs for a send to a sealed room.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class EnvelopeStatementsIT {
  /// Without what the test asks, and what is asked of a server that is slow to answer.
  private static final String RUN =
      """
      SELECT query, sum(calls) FROM pg_stat_statements
      WHERE query NOT LIKE '%pg_stat_statements%' AND query <> 'SELECT $1' GROUP BY query
      """;

  private static final int TRIES = 3;

  @Test
  void aSendIsAsManyStatementsWhateverTheNumberOfDevices(Vertx vertx) throws SQLException {
    List<Map<String, Long>> statements =
        statements(
            vertx,
            List.of(2, 2, 4, 200), // the first one prepares
            (url, devices) ->
                List.of(
                    new SealedWorld.Sending(
                            devices,
                            1,
                            "d",
                            UUID.randomUUID().toString(),
                            SealedWorld.digestOf(registrations(url, devices)))
                        .saying("p")));
    assertThat(statements.subList(1, 4)).containsOnly(statements.get(1));
  }

  @Test
  void aGroupWithoutARoomAsksNotForEachOfItsSendsWhatMayBeSeen(Vertx vertx) throws SQLException {
    List<Map<String, Long>> statements =
        statements(
            vertx,
            List.of(2, 2, 4, 20),
            (url, devices) -> {
              List<EnvelopeDraft> group = new ArrayList<>();
              for (int i = 0; i < devices / 2; i++) {
                group.add(loose(url, devices));
              }
              return group;
            });
    // What may be seen is not asked for each of ten sends.
    assertThat(number(statements.getLast())).isLessThan(number(statements.get(1)) + 5);
  }

  /// To the devices of accounts 2 and so on.
  private static EnvelopeDraft loose(PostgresUrl url, int accounts) throws SQLException {
    String[] registrations = registrations(url, accounts).split(",", -1);
    return new SealedWorld.Sending(0, 1, "d", UUID.randomUUID().toString(), "")
        .silently(
            null,
            IntStream.range(1, accounts)
                .mapToObj(
                    i ->
                        new KeyBody(
                            new AccountId(i + 1),
                            new DeviceId("d"),
                            new RegistrationId(Long.parseLong(registrations[i])),
                            "b"))
                .toArray(KeyBody[]::new));
  }

  /// A group that reaches so many devices.
  @FunctionalInterface
  private interface Group {
    List<EnvelopeDraft> of(PostgresUrl url, int devices) throws SQLException;
  }

  private static long number(Map<String, Long> statements) {
    return statements.values().stream().mapToLong(Long::longValue).sum();
  }

  /// How often each statement is run for the groups for these numbers of devices: in the quietest
  /// of some tries, as a connection that is replaced meanwhile adds to what is counted.
  private static List<Map<String, Long>> statements(Vertx vertx, List<Integer> numbers, Group group)
      throws SQLException {
    try (OwnPostgres server =
        new OwnPostgres(
            "shared_preload_libraries=pg_stat_statements",
            "pg_stat_statements.track=all",
            "autovacuum=off")) { // what it runs would count too
      new Migrations(PostgresLogins.of(server.url())).migrate();
      execute(server.url(), "CREATE EXTENSION pg_stat_statements");
      execute(server.url(), world());
      Database database = new Database(vertx, server.url(), TestConfig.postgres());
      WriterConnection connection = new WriterConnection(database, SealedWorld.PATIENT);
      get(connection.open());
      EnvelopeStore store = new EnvelopeStore(connection, TestConfig.queues());
      List<Map<String, Long>> statements = new ArrayList<>();
      for (int devices : numbers) {
        List<Map<String, Long>> tries = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
          List<EnvelopeDraft> drafts = group.of(server.url(), devices);
          Map<String, Long> before = run(server.url());
          assertThat(get(store.append(drafts)).getFirst())
              .isInstanceOf(EnvelopeOutcome.Stored.class);
          tries.add(since(before, run(server.url())));
        }
        statements.add(Collections.min(tries, comparingLong(EnvelopeStatementsIT::number)));
      }
      get(connection.close());
      get(database.close());
      return statements;
    }
  }

  private static String registrations(PostgresUrl url, int accounts) throws SQLException {
    return text(
        url,
        "SELECT string_agg(registration_id::text, ',' ORDER BY registration_id)"
            + " FROM device_queue WHERE account_id <= "
            + accounts);
  }

  private static String world() {
    StringBuilder sql =
        new StringBuilder(
            """
            INSERT INTO account (account_id, handle, display_name)
              SELECT a, 'a' || a, 'A' FROM generate_series(1, 200) a;
            INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)
              SELECT a, 'd', 'olm1', 'i', '' FROM generate_series(1, 200) a;
            """);
    for (int room : List.of(2, 4, 200)) {
      sql.append(
          """
          INSERT INTO room (room_id, type, name, member_count, encryption_suite, sealed_from_seq, sealed_from_rev)
            VALUES (%1$d, 'group', 'R', %1$d, 'olm1', 1, 1);
          INSERT INTO room_position (room_id, sealed) VALUES (%1$d, true);
          INSERT INTO room_member (room_id, account_id, role)
            SELECT %1$d, a, 'member' FROM generate_series(1, %1$d) a;
          """
              .formatted(room));
    }
    return sql.toString();
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Map<String, Long> run(PostgresUrl url) throws SQLException {
    Map<String, Long> calls = new TreeMap<>();
    try (var connection = TestDatabase.connect(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(RUN)) {
      while (rows.next()) {
        calls.put(rows.getString(1), rows.getLong(2));
      }
    }
    return calls;
  }

  private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> calls = new TreeMap<>(after);
    before.forEach((query, number) -> calls.merge(query, -number, Long::sum));
    calls.values().removeIf(number -> number == 0);
    return calls;
  }

  private static String text(PostgresUrl url, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
