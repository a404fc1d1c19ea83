package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// All sockets of a node are dropped at once and come back with what they missed. How many
/// statements that takes says PostgreSQL. `scripts/bench-reconnect` does it with 5,000.
@ExtendWith(VertxExtension.class)
@Tag("alone")
@Timeout(400)
class ReconnectIT {
  private static final int SESSIONS = Integer.getInteger("confab.sessions", 1_000);
  private static final int DEVICES = 10;
  private static final int ROOMS = 10;
  private static final int ROOMS_EACH = 3;
  private static final int MISSED = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int SESSIONS_A_STATEMENT_AT_LEAST = 50;

  /// What a node asks that nobody asked it: whether PostgreSQL is there, and the like.
  private static final int OF_ITS_OWN_A_SECOND = 5;

  /// What only a read of a page of events says.
  private static final String READ_OF_EVENTS = "UNION ALL";

  private static final String COUNT =
      """
      SELECT calls, query FROM pg_stat_statements
       WHERE toplevel AND query !~ 'pg_stat_statements' ORDER BY calls DESC\
      """;

  @Test
  void manySessionsComeBackTogetherWithFewStatements(Vertx vertx, @TempDir Path folder)
      throws SQLException {
    try (OwnPostgres postgres = new OwnPostgres("shared_preload_libraries=pg_stat_statements");
        OwnRedis redis = OwnRedis.start();
        NodeProcess node = NodeProcess.start(folder, 0, variables(postgres, redis))) {
      execute(postgres, "CREATE EXTENSION pg_stat_statements");
      List<Person> devices = new ArrayList<>();
      List<String> rooms = new ArrayList<>();
      populate(node.port(), devices, rooms);
      try (ReturningClients clients = new ReturningClients(vertx, node.port(), devices)) {
        clients.connect().await();
        await().atMost(PATIENCE).until(() -> clients.resumed() == SESSIONS);
        clients.cut();
        Map<String, Long> heads = missed(devices.getFirst().at(node.port()), rooms);
        execute(postgres, "SELECT pg_stat_statements_reset()");
        long begin = System.nanoTime();
        clients.connect().await();
        await().atMost(PATIENCE).until(() -> clients.whole(heads) == SESSIONS);
        Map<String, Long> statements = statements(postgres);
        long millis = (System.nanoTime() - begin) / 1_000_000; // in which all of them were made
        long all = statements.values().stream().mapToLong(Long::longValue).sum();
        System.out.printf(
            "%,d sessions came back in %,d ms with %,d statements%n", SESSIONS, millis, all);
        assertThat(clients.faults()).isEmpty();
        assertThat(statements.keySet()).isNotEmpty().noneMatch(sql -> sql.contains(READ_OF_EVENTS));
        assertThat(all)
            .as("%s", statements)
            .isLessThanOrEqualTo(
                SESSIONS / SESSIONS_A_STATEMENT_AT_LEAST + OF_ITS_OWN_A_SECOND * millis / 1_000);
      }
    }
  }

  private static Map<String, String> variables(OwnPostgres postgres, OwnRedis redis) {
    return NodeProcess.patient(
        Map.of(
            "CONFAB_POSTGRES_URL",
            TestDatabase.address(postgres.url()),
            "CONFAB_REDIS_URL",
            redis.address(),
            "CONFAB_REDIS_COMMAND_TIMEOUT",
            "1m",
            "CONFAB_ACCOUNTS_ARGON2_MEMORY_KIB",
            "64",
            "CONFAB_ACCOUNTS_ARGON2_ITERATIONS",
            "1",
            // All come from one address.
            "CONFAB_HTTP_CONNECTIONS",
            "30000",
            "CONFAB_HTTP_ADDRESS_CONNECTIONS",
            "30000",
            "CONFAB_RATES_SIGN_UPS",
            "1000/s burst 10000",
            "CONFAB_RATES_SIGN_INS",
            "1000/s burst 10000"));
  }

  /// Some accounts with several devices each, in some of the rooms; the first account is in all.
  private static void populate(int port, List<Person> devices, List<String> rooms) {
    for (int i = 0; i < SESSIONS / DEVICES; i++) {
      Person person = ApiClient.person(port, "person" + i, "Person");
      for (int room = 0; i == 0 && room < ROOMS; room++) {
        rooms.add(person.at(port).channel("room" + room));
      }
      for (int k = 0; i > 0 && k < ROOMS_EACH; k++) {
        person.at(port).join(rooms.get((i + k) % ROOMS));
      }
      devices.add(person);
      for (int device = 1; device < DEVICES; device++) {
        devices.add(person.onAnotherDevice(port));
      }
    }
  }

  /// Says something in every room; answers where they stand then.
  private static Map<String, Long> missed(ApiClient speaker, List<String> rooms) {
    Map<String, Long> heads = new LinkedHashMap<>();
    for (String room : rooms) {
      for (int i = 0; i < MISSED; i++) {
        JsonObject sent =
            speaker.ok(
                "POST",
                "/v1/rooms/" + room + "/messages",
                new JsonObject().put("client_id", room + "-" + i).put("body", "meanwhile " + i));
        heads.put(room, sent.getLong("rev"));
      }
    }
    return heads;
  }

  private static void execute(OwnPostgres server, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Map<String, Long> statements(OwnPostgres server) throws SQLException {
    Map<String, Long> calls = new LinkedHashMap<>();
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(COUNT)) {
      while (rows.next()) {
        calls.merge(rows.getString(2), rows.getLong(1), Long::sum);
      }
    }
    return calls;
  }
}
