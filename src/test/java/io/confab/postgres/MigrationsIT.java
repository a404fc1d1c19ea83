package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Versions of Confab that come after one another on one database: ADR 0024.
@Timeout(120)
class MigrationsIT {
  private static final String DATABASE = "migrations_" + ProcessHandle.current().pid();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit makes it
  private Path folder;

  private final PostgresUrl url = TestServers.postgres().withDatabase(DATABASE);

  @BeforeEach
  void create() throws SQLException {
    execute(TestServers.postgres(), "CREATE DATABASE " + DATABASE);
  }

  @AfterEach
  void drop() throws SQLException {
    execute(TestServers.postgres(), "DROP DATABASE " + DATABASE + " WITH (FORCE)");
  }

  @Test
  void aDatabaseFromBeforeTheFirstReleaseIsRefused() throws Exception {
    write("V36__earlier.sql", "CREATE TABLE earlier (id int);");
    migrations().migrate();

    assertThatExceptionOfType(UnusableDatabaseException.class)
        .isThrownBy(() -> new Migrations(PostgresLogins.of(url)).migrate())
        .withMessageContaining("of version 36, from before Confab's first release");

    assertThat(functions()).isEmpty();
  }

  /// The one versioned file changes in place until the first release.
  @Test
  void soIsOneOfAnEarlierStateOfTheSameVersion() throws Exception {
    copy(_ -> true);
    write("V37__tables.sql", MigrationFilesTest.read(folder.resolve("V37__tables.sql")) + "-- x");
    migrations().migrate();
    Map<String, String> before = functions();

    assertThatExceptionOfType(UnusableDatabaseException.class)
        .isThrownBy(() -> new Migrations(PostgresLogins.of(url)).migrate())
        .withMessageContaining("of version 37, from before Confab's first release");

    assertThat(functions()).isEqualTo(before);
  }

  @Test
  void whatFlywayHasDoneIsKnownWithoutIt() throws Exception {
    assertThat(SchemaHistory.endsWith(url, Migrations.NEWEST)).isFalse();

    new Migrations(PostgresLogins.of(url)).migrate();
    assertThat(SchemaHistory.endsWith(url, Migrations.NEWEST)).isTrue();

    execute(url, "UPDATE flyway_schema_history SET checksum = checksum + 1 WHERE version = '37'");
    assertThat(SchemaHistory.endsWith(url, Migrations.NEWEST)).isFalse();
    execute(url, "UPDATE flyway_schema_history SET checksum = checksum - 1 WHERE version = '37'");
    execute(
        url, "UPDATE flyway_schema_history SET success = false WHERE script LIKE '%lock_room%'");
    assertThat(SchemaHistory.endsWith(url, Migrations.NEWEST)).isFalse();
    execute(url, "UPDATE flyway_schema_history SET success = true");
    assertThat(SchemaHistory.endsWith(url, Migrations.NEWEST)).isTrue();

    copy(_ -> true);
    write("V999__later.sql", "SELECT 1;");
    migrations().migrate();
    assertThat(SchemaHistory.endsWith(url, Migrations.NEWEST)).isFalse();
  }

  @Test
  void anEmptyDatabaseHasTheFunctionsOfTheFiles() throws Exception {
    new Migrations(PostgresLogins.of(url)).migrate();

    assertThat(functions()).isEqualTo(functionsOfTheFiles());
  }

  /// The version that was there first goes on while the newer one brings its functions, and must
  /// not bring back its own.
  @Test
  void anOlderVersionThatStartsBesideANewerOneLeavesItsFunctions() throws Exception {
    new Migrations(PostgresLogins.of(url)).migrate();
    copy(_ -> true);
    write("V999__later.sql", "SELECT pg_advisory_xact_lock(999);");
    write("R__is_blocked.sql", later());
    try (Connection connection = TestDatabase.connect(url)) {
      execute(connection, "SELECT pg_advisory_lock(999)");
      CompletableFuture<Integer> newer = start(migrations());
      await().until(() -> count("query LIKE '%(999)%' AND wait_event_type = 'Lock'") == 1);
      // With a function of its own to bring, so that the older one goes where the newer one is.
      execute(
          connection,
          "UPDATE flyway_schema_history SET checksum = 1 WHERE script = 'R__lock_room.sql'");
      Migrations own = new Migrations(PostgresLogins.of(url));
      CompletableFuture<Integer> older =
          CompletableFuture.supplyAsync(own::migrateAll, Thread::startVirtualThread);
      await().until(() -> count("query LIKE '%pg_try_advisory_xact_lock%'") > 0);
      execute(connection, "SELECT pg_advisory_unlock(999)");

      assertThat(newer.join()).isPositive();
      assertThatExceptionOfType(CompletionException.class)
          .isThrownBy(older::join)
          .withRootCauseInstanceOf(UnusableDatabaseException.class);
    }

    assertThat(functions().get("is_blocked")).contains("later");
  }

  /// A version may have to drop a function before its file defines it anew: nobody sees it gone.
  @Test
  void aVersionComesWithItsFunctionsOrNotAtAll() throws Exception {
    new Migrations(PostgresLogins.of(url)).migrate();
    Map<String, String> before = functions();
    copy(_ -> true);
    write("V999__later.sql", "DROP FUNCTION is_blocked;");
    write("R__is_blocked.sql", "CREATE OR REPLACE FUNCTION is_blocked() nonsense;");

    assertThatThrownBy(() -> migrations().migrate()).isInstanceOf(FlywayException.class);

    assertThat(functions()).isEqualTo(before);
    assertThat(new Migrations(PostgresLogins.of(url)).migrate()).isZero();
  }

  private static CompletableFuture<Integer> start(Migrations migrations) {
    return CompletableFuture.supplyAsync(migrations::migrate, Thread::startVirtualThread);
  }

  /// The migrations of the folder.
  private Migrations migrations() {
    return new Migrations(PostgresLogins.of(url), "filesystem:" + folder);
  }

  private void copy(Predicate<String> which) throws IOException {
    try (Stream<Path> all = Files.list(MigrationFilesTest.FOLDER)) {
      for (Path file : all.filter(f -> which.test(f.getFileName().toString())).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
  }

  private void write(String name, String sql) throws IOException {
    Files.writeString(folder.resolve(name), sql);
  }

  private static String later() {
    return MigrationFilesTest.read(MigrationFilesTest.FOLDER.resolve("R__is_blocked.sql"))
        .replace("SELECT EXISTS", "SELECT /* later */ EXISTS");
  }

  /// Name and body of every function.
  private Map<String, String> functions() throws SQLException {
    Map<String, String> functions = new TreeMap<>();
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT proname, prosrc FROM pg_proc WHERE pronamespace ="
                    + " 'public'::regnamespace")) {
      while (rows.next()) {
        assertThat(functions.put(rows.getString(1), rows.getString(2))).isNull();
      }
    }
    return functions;
  }

  private static Map<String, String> functionsOfTheFiles() {
    Map<String, String> functions = new TreeMap<>();
    for (Path file : MigrationFilesTest.functions()) {
      List<String> parts = List.of(MigrationFilesTest.read(file).split("\\$\\$", -1));
      functions.put(MigrationFilesTest.name(file), parts.get(1));
    }
    return functions;
  }

  private long count(String activity) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND datname = current_database() AND "
                    + activity)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(PostgresUrl where, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(where)) {
      execute(connection, sql);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
