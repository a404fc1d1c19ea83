package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.postgres.PostgresUrl;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real PostgreSQL of this test's own, killed and started again; one cluster for all tests.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedPostgresIT {
  private static final Duration BACK_AGAIN = Duration.ofSeconds(30);

  private final DataDir data;

  EmbeddedPostgresIT(@TempDir Path folder) {
    this.data = DataDir.open(folder);
  }

  @AfterAll
  void unlock() {
    data.close();
  }

  private EmbeddedServer<PostgresUrl> start() {
    return EmbeddedPostgres.start(data, TestServers.programs(), 20);
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
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      before = postgres.url();
      execute(before, "CREATE TABLE kept AS SELECT 42 AS n");
    }
    assertThat(pidFile()).doesNotExist();
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      assertThat(query(postgres.url(), "SELECT n FROM kept")).isEqualTo("42");
      assertThat(postgres.url().password()).isEqualTo(before.password());
    }
  }

  @Test
  void aNewClusterIsDurableAndSpeaksUtf8() throws SQLException {
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      PostgresUrl url = postgres.url();
      assertThat(query(url, "SHOW fsync")).isEqualTo("on");
      assertThat(query(url, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(query(url, "SHOW full_page_writes")).isEqualTo("on");
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
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      PostgresUrl url = postgres.url();
      PostgresUrl wrong =
          new PostgresUrl(url.host(), url.port(), url.database(), url.user(), "wrong");
      assertThatThrownBy(() -> query(wrong, "SELECT 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }
  }

  @Test
  void thePasswordIsForTheOwnerAlone() throws IOException {
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      Path file = data.path().resolve("secrets/postgres.password");
      assertThat(file).hasContent(postgres.url().password());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(data.path().resolve("postgres/password")).doesNotExist();
    }
  }

  @Test
  void aKilledServerComesBackOnItsPortWithItsData() throws IOException, SQLException {
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      execute(postgres.url(), "CREATE TABLE kept_too AS SELECT 42 AS n");
      long first = postmaster();
      kill(first);
      await()
          .atMost(BACK_AGAIN)
          .ignoreExceptions()
          .until(() -> query(postgres.url(), "SELECT n FROM kept_too"), "42"::equals);
      assertThat(postmaster()).isNotEqualTo(first);
      await().atMost(BACK_AGAIN).until(() -> postgres.state().running());
    }
  }

  @Test
  void aServerThatLostItsWatchdogIsReplaced() throws IOException, SQLException {
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
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
          .atMost(BACK_AGAIN)
          .ignoreExceptions()
          .until(() -> postmaster() != first && query(postgres.url(), "SELECT 1").equals("1"));
      assertThat(ProcessHandle.of(first)).isEmpty();
    }
  }

  @Test
  void aPidFileThatNamesAForeignProcessDoesNotHinderTheStart() throws IOException, SQLException {
    start().close();
    Files.writeString(
        pidFile(),
        "%d\n%s\n1\n5432\n\n127.0.0.1\n\nready\n"
            .formatted(ProcessHandle.current().pid(), pidFile().getParent()));
    try (EmbeddedServer<PostgresUrl> postgres = start()) {
      assertThat(query(postgres.url(), "SELECT 1")).isEqualTo("1");
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
