package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.testing.LogLines;
import io.confab.testing.Patience;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How the role of the nodes gets its rights.
@Timeout(120)
class NodeRightsIT {
  private static final String LOCK =
      "SELECT pg_advisory_lock(hashtextextended('confab node rights', 0))";

  private final TestDatabase database = TestDatabase.create();
  private final PostgresLogins logins = new PostgresLogins(database.url(), database.nodeUrl());

  @BeforeEach
  void openToAll() {
    database.execute("GRANT CREATE ON SCHEMA public TO PUBLIC");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private long mayCreate() {
    return database.count(
        "SELECT has_schema_privilege('%s', 'public', 'CREATE')::int"
            .formatted(database.nodeUrl().user()));
  }

  @Test
  void aSchemaThatEverybodyMayCreateInIsClosed() {
    assertThat(mayCreate()).isOne();
    try (LogLines log = new LogLines(NodeRights.class.getName())) {
      NodeRights.grant(logins);
      assertThat(log.lines()).isEmpty();
    }
    assertThat(mayCreate()).isZero();
  }

  @Test
  void whereOneRoleDoesBothTheStartSaysSo() {
    try (LogLines log = new LogLines(NodeRights.class.getName())) {
      NodeRights.grant(new PostgresLogins(database.url(), database.url()));
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("WARN " + database.url().user() + " owns the schema and works on it")
          .contains("postgres.owner_url");
    }
  }

  @Test
  void aRightThatAnEarlierVersionGaveIsTaken() {
    String node = database.nodeUrl().user();
    database.execute("GRANT DELETE, TRUNCATE ON account TO " + node);
    NodeRights.grant(logins);
    assertThat(
            database.count(
                "SELECT has_table_privilege('%s', 'account', 'DELETE, TRUNCATE')::int"
                    .formatted(node)))
        .isZero();
  }

  @Test
  void aNodeThatWaitsForItsTurnInVainSaysWhy() throws Exception {
    try (Connection first = TestDatabase.connect(database.url());
        var statement = first.createStatement()) {
      statement.execute(LOCK);
      assertThatThrownBy(() -> NodeRights.grant(logins, Duration.ofSeconds(1)))
          .isExactlyInstanceOf(UnusableDatabaseException.class)
          .hasMessageContaining("another node, or a session that was left behind");
    }
  }

  @Test
  void whereOnlySomebodyElseCanCloseItTheLogSaysSo() {
    String owner = "owner_" + database.url().database();
    database.execute("CREATE ROLE " + owner + " LOGIN PASSWORD 'pw'");
    try {
      database.execute("GRANT CREATE, USAGE ON SCHEMA public TO " + owner);
      database.execute(
          """
          DO $$ DECLARE t record; BEGIN
            FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
              EXECUTE format('ALTER TABLE public.%%I OWNER TO %1$s', t.tablename);
            END LOOP;
            ALTER SEQUENCE public.session_number OWNER TO %1$s;
            ALTER SEQUENCE public.envelope_payload_number OWNER TO %1$s;
            ALTER FUNCTION public.forget_audit OWNER TO %1$s;
          END $$
          """
              .formatted(owner));
      PostgresUrl url = database.url();
      PostgresUrl lesser = new PostgresUrl(url.host(), url.port(), url.database(), owner, "pw");
      try (LogLines log = new LogLines(NodeRights.class.getName())) {
        NodeRights.grant(new PostgresLogins(lesser, database.nodeUrl()));
        assertThat(log.lines())
            .singleElement()
            .asString()
            .contains("REVOKE CREATE ON SCHEMA public");
      }
    } finally {
      database.execute("REASSIGN OWNED BY " + owner + " TO CURRENT_USER");
      database.execute("DROP OWNED BY " + owner);
      database.execute("DROP ROLE " + owner);
    }
  }

  @Test
  void manyNodesTakeTurns() throws Exception {
    CompletableFuture<?>[] nodes = new CompletableFuture<?>[8];
    try (Connection first = TestDatabase.connect(database.url());
        var statement = first.createStatement()) {
      statement.execute(LOCK);
      for (int i = 0; i < nodes.length; i++) {
        nodes[i] =
            CompletableFuture.runAsync(() -> NodeRights.grant(logins), Thread::startVirtualThread);
      }
      await().until(() -> waiting() == nodes.length);
    }
    CompletableFuture.allOf(nodes).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private long waiting() {
    return database.count(
        """
        SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """);
  }

  @Test
  void aNodeThatWaitsForItsTurnWaitsLongerThanForAnAnswer() {
    assertThat(NodeRights.PATIENCE).isGreaterThan(PostgresUrl.QUESTION.multipliedBy(5));
  }
}
