package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.confab.testing.OwnPostgres;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// One server, set up badly in one way after the other.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerCheckIT {
  private OwnPostgres server;

  @BeforeAll
  void start() {
    server = new OwnPostgres();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void execute(String sql) {
    execute(server.url(), sql);
  }

  private static void execute(PostgresUrl url, String sql) {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static void assertRefused(PostgresUrl url, String why) {
    assertThatExceptionOfType(UnusableDatabaseException.class)
        .isThrownBy(() -> ServerCheck.require(url))
        .withMessageContaining(why)
        .withMessageContaining("postgres.url");
  }

  @Test
  void aServerThatLosesCommitsIsRefusedAndSaysWhy() {
    for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
      assertThatCode(() -> ServerCheck.require(server.url())).doesNotThrowAnyException();
      execute("ALTER SYSTEM SET " + setting + " = off");
      restart();
      assertRefused(server.url(), setting + " is off");
      execute("ALTER SYSTEM RESET " + setting);
      restart();
    }
  }

  private void restart() {
    server.stop();
    server.start();
  }

  @Test
  void aSettingOfTheDatabaseAloneCountsToo() {
    execute("CREATE DATABASE careless");
    execute("ALTER DATABASE careless SET synchronous_commit = off");
    assertRefused(server.url().withDatabase("careless"), "synchronous_commit is off");
    execute("ALTER DATABASE careless SET synchronous_commit = local");
    assertThatCode(() -> ServerCheck.require(server.url().withDatabase("careless")))
        .doesNotThrowAnyException();
  }

  @Test
  void aStandbyIsRefused() {
    try (OwnPostgres standby = server.standby()) {
      assertRefused(standby.url(), "it is a standby");
    }
  }

  @Test
  void aServerThatIsAwayIsNamedWithoutThePassword() {
    assertThatExceptionOfType(UnusableDatabaseException.class)
        .isThrownBy(
            () -> ServerCheck.require(new PostgresUrl("127.0.0.1", 1, "db", "me", "pass-word")))
        .withMessageContaining("postgres.url")
        .satisfies(failure -> assertThat(failure.toString()).doesNotContain("pass-word"));
  }

  @Test
  void aSchemaOfANewerVersionIsRefused() {
    execute("CREATE DATABASE newer");
    PostgresUrl url = server.url().withDatabase("newer");
    new Migrations(PostgresLogins.of(url)).migrate();
    assertThat(new Migrations(PostgresLogins.of(url)).migrate()).isZero();
    execute(
        url,
        "INSERT INTO flyway_schema_history SELECT 1 + max(installed_rank), '999', 'later', 'SQL',"
            + " 'V999__later.sql', 1, current_user, now(), 1, true FROM flyway_schema_history");

    assertThatExceptionOfType(UnusableDatabaseException.class)
        .isThrownBy(() -> new Migrations(PostgresLogins.of(url)).migrate())
        .withMessageContaining("999");
  }

  @Test
  void manyMayMigrateAnEmptyDatabaseAtOnce() {
    execute("CREATE DATABASE shared");
    PostgresUrl url = server.url().withDatabase("shared");
    List<CompletableFuture<Integer>> runs =
        IntStream.range(0, 6)
            .mapToObj(
                _ ->
                    CompletableFuture.supplyAsync(
                        () -> new Migrations(PostgresLogins.of(url)).migrate(),
                        Thread::startVirtualThread))
            .toList();

    assertThat(runs.stream().mapToInt(CompletableFuture::join).filter(n -> n > 0)).hasSize(1);
  }
}
