package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real PostgreSQL of this test's own, killed and started again; one cluster for all tests.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedPostgresIT {

  private final DataDir data;

  EmbeddedPostgresIT(@TempDir Path folder) {
    this.data = DataDir.open(folder);
  }

  @AfterAll
  void unlock() {
    data.close();
  }

  private EmbeddedServer<PostgresLogins> start() {
    return EmbeddedPostgres.start(data, TestServers.programs(), 20);
  }

  /// Outside of the database of Confab.
  private PostgresUrl superuser(EmbeddedServer<PostgresLogins> postgres) {
    PostgresUrl node = postgres.url().node();
    return new PostgresUrl(
        node.host(), node.port(), "postgres", "confab", data.secret("postgres.password"));
  }

  private static String query(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long postmaster() throws IOException {
    return Long.parseLong(Files.readAllLines(pidFile()).getFirst());
  }

  private Path pidFile() {
    return data.path().resolve("postgres/data/postmaster.pid");
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
  }

  @Test
  void dataAndPasswordSurviveARestart() throws SQLException {
    PostgresUrl before;
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      before = superuser(postgres);
      execute(before, "CREATE TABLE kept AS SELECT 42 AS n");
    }
    assertThat(pidFile()).doesNotExist();
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      assertThat(query(superuser(postgres), "SELECT n FROM kept")).isEqualTo("42");
      assertThat(superuser(postgres).password()).isEqualTo(before.password());
    }
  }

  @Test
  void aNewClusterIsDurableAndSpeaksUtf8() throws SQLException {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      PostgresUrl url = superuser(postgres);
      assertThat(query(url, "SHOW fsync")).isEqualTo("on");
      assertThat(query(url, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(query(url, "SHOW full_page_writes")).isEqualTo("on");
      assertThat(query(url, "SHOW log_connections")).isEmpty();
      assertThat(query(url, "SHOW log_disconnections")).isEqualTo("off");
      assertThat(query(url, "SHOW server_encoding")).isEqualTo("UTF8");
      assertThat(query(url, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(query(url, "SHOW unix_socket_directories")).isEmpty();
      assertThat(query(url, "SHOW server_version")).isEqualTo("18.6");
      assertThat(query(url, "SELECT datcollate FROM pg_database WHERE datname = 'confab'"))
          .isEqualTo("C.UTF-8");
    }
  }

  @Test
  void nobodyGetsInWithoutThePassword() {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      PostgresUrl url = superuser(postgres);
      PostgresUrl wrong =
          new PostgresUrl(url.host(), url.port(), url.database(), url.user(), "wrong");
      assertThatThrownBy(() -> query(wrong, "SELECT 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }
  }

  /// Who gets a statement of their own in, over a node's connection, reaches neither the machine
  /// nor anything that Confab does not do there itself.
  @Test
  void theRoleOfTheNodesMayDoNothingBeyondTheirWork() throws SQLException {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      new Migrations(postgres.url()).migrate();
      PostgresUrl node = postgres.url().node();
      assertThat(query(node, "SELECT count(*) FROM message")).isEqualTo("0");
      assertRefused(
          node,
          "CREATE TABLE t (n int)",
          "CREATE TEMP TABLE t (n int)",
          "CREATE SCHEMA s",
          "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
          "CREATE ROLE r",
          "CREATE DATABASE d",
          "DROP TABLE room_audit",
          "DROP FUNCTION is_blocked",
          "ALTER TABLE account ADD COLUMN x int",
          "ALTER ROLE confab_node SUPERUSER",
          "ALTER DATABASE confab SET synchronous_commit = off",
          "ALTER SYSTEM SET fsync = off",
          "SET ROLE confab",
          "SET ROLE confab_owner",
          "SET SESSION AUTHORIZATION confab",
          "GRANT confab_owner TO confab_node",
          "COPY account TO PROGRAM 'true'",
          "COPY account FROM PROGRAM 'true'",
          "COPY account TO '/tmp/confab-copy'",
          "SELECT rolpassword FROM pg_authid",
          "SELECT pg_read_file('PG_VERSION')",
          "TRUNCATE message",
          "DELETE FROM message",
          "DELETE FROM room_audit",
          "UPDATE room_audit SET action = action",
          "DELETE FROM flyway_schema_history");
      for (String other : new String[] {"postgres", "template1"}) {
        assertThatThrownBy(() -> query(node.withDatabase(other), "SELECT 1"))
            .isInstanceOfSatisfying(SQLException.class, EmbeddedPostgresIT::isNoPermission);
      }
    }
  }

  @Test
  void theOwnerOfTheSchemaIsNoSuperuserEither() throws SQLException {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      assertRefused(
          postgres.url().owner(),
          "CREATE ROLE r",
          "CREATE DATABASE d",
          "ALTER SYSTEM SET fsync = off",
          "SET ROLE confab",
          "COPY (SELECT 1) TO PROGRAM 'true'",
          "SELECT rolpassword FROM pg_authid");
    }
  }

  private static void assertRefused(PostgresUrl url, String... statements) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      for (String sql : statements) {
        assertThatThrownBy(() -> statement.execute(sql))
            .as(sql)
            .isInstanceOfSatisfying(SQLException.class, EmbeddedPostgresIT::isNoPermission);
      }
    }
  }

  private static void isNoPermission(SQLException refused) {
    assertThat(refused.getSQLState()).as(refused.getMessage()).isEqualTo("42501");
  }

  @Test
  void thePasswordsAreForTheUserOfTheDataFolderAlone() throws IOException {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      Path secrets = data.path().resolve("secrets");
      assertThat(secrets.resolve("postgres-owner.password"))
          .hasContent(postgres.url().owner().password());
      assertThat(secrets.resolve("postgres-node.password"))
          .hasContent(postgres.url().node().password());
      try (var files = Files.list(secrets)) {
        assertThat(files)
            .hasSize(3)
            .allSatisfy(
                file ->
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
      }
      assertThat(data.path().resolve("postgres/password")).doesNotExist();
    }
  }

  @Test
  void aKilledServerComesBackOnItsPortWithItsData() throws IOException, SQLException {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      execute(superuser(postgres), "CREATE TABLE kept_too AS SELECT 42 AS n");
      long first = postmaster();
      kill(first);
      await()
          .ignoreExceptions()
          .until(() -> query(superuser(postgres), "SELECT n FROM kept_too"), "42"::equals);
      assertThat(postmaster()).isNotEqualTo(first);
      await().until(() -> postgres.state().running());
    }
  }

  @Test
  void aServerThatLostItsWatchdogIsReplaced() throws IOException, SQLException {
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      long first = postmaster();
      postgres
          .supervisor()
          .process()
          .orElseThrow()
          .processes()
          .findFirst()
          .orElseThrow()
          .destroyForcibly();
      await()
          .ignoreExceptions()
          .until(() -> postmaster() != first && query(superuser(postgres), "SELECT 1").equals("1"));
      await().until(() -> ProcessHandle.of(first).isEmpty());
    }
  }

  @Test
  void aPidFileThatNamesAForeignProcessDoesNotHinderTheStart() throws IOException, SQLException {
    start().close();
    Files.writeString(
        pidFile(),
        "%d\n%s\n1\n5432\n\n127.0.0.1\n\nready\n"
            .formatted(ProcessHandle.current().pid(), pidFile().getParent()));
    try (EmbeddedServer<PostgresLogins> postgres = start()) {
      assertThat(query(superuser(postgres), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void aBrokenClusterFailsWithTheServersLastWords() throws IOException {
    start().close();
    Path version = data.path().resolve("postgres/data/PG_VERSION");
    String before = Files.readString(version);
    Files.writeString(version, "9\n");
    try {
      assertThatThrownBy(this::start)
          .isInstanceOf(EmbeddedServerException.class)
          .hasMessageContaining("database files are incompatible with server");
    } finally {
      Files.writeString(version, before);
    }
  }

  @Test
  void aLostPasswordFileIsNamed() throws IOException {
    start().close();
    Path password = data.path().resolve("secrets/postgres.password");
    Path elsewhere = data.path().resolve("password.elsewhere");
    Files.move(password, elsewhere);
    try {
      assertThatThrownBy(this::start)
          .isInstanceOf(EmbeddedServerException.class)
          .hasMessageContaining("postgres.password is missing");
    } finally {
      Files.move(elsewhere, password);
    }
  }
}
