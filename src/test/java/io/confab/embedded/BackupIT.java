package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresUrl;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real PostgreSQL, copied in the midst of changes and checkpoints, and started again from the
/// copy.
@Timeout(240)
class BackupIT {
  private static final String SLOTS = "SELECT count(*) FROM pg_replication_slots";

  private final Path folder;
  private final Path backup;
  private final Path target;
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong recycled = new AtomicLong();
  private final AtomicBoolean stopping = new AtomicBoolean();

  BackupIT(@TempDir Path temporary) {
    this.folder = temporary.resolve("data");
    this.backup = temporary.resolve("backup.zip");
    this.target = temporary.resolve("restored");
    TestServers.shareProgramsWith(folder);
  }

  @Test
  void whatWasCommittedBeforeACopyIsInItWhole() throws Exception {
    long before;
    long epoch;
    List<String> said = new ArrayList<>();
    try (DataDir data = DataDir.open(folder);
        var postgres = EmbeddedPostgres.start(data, 20);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      new Migrations(postgres.url()).migrate();
      epoch = number(postgres.url().owner(), "SELECT epoch FROM instance");
      execute(postgres.url().owner(), "CREATE TABLE said (n bigint PRIMARY KEY, body text)");
      var speaker = threads.submit(() -> speak(postgres.url().owner()));
      var checkpoints = threads.submit(() -> recycle(PostgresCluster.running(data.path())));
      await().until(() -> committed.get() > 200 && recycled.get() > 2);
      before = committed.get();
      assertThat(Backup.make(folder, backup, said::add)).isEqualTo(Files.size(backup));
      await().until(() -> number(PostgresCluster.running(data.path()), SLOTS) == 0);
      stopping.set(true);
      speaker.get();
      checkpoints.get();
    }
    assertThat(said).anyMatch(line -> line.matches("\\d+ % of about \\d+ MB"));

    Restore.make(backup, target, said::add);
    try (DataDir data = DataDir.open(target);
        var postgres = EmbeddedPostgres.start(data, 20)) {
      PostgresUrl url = postgres.url().owner();
      long found = number(url, "SELECT count(*) FROM said WHERE body = repeat(n::text, 200)");
      assertThat(found).isGreaterThanOrEqualTo(before);
      assertThat(number(url, "SELECT max(n) FROM said")).as("no hole").isEqualTo(found);
      assertThat(number(url, "SELECT epoch FROM instance")).isGreaterThan(epoch);
    }
  }

  @Test
  void aCopyIsMadeWithoutANodeTooAndNothingIsWrittenOver() throws Exception {
    try (DataDir data = DataDir.open(folder);
        var postgres = EmbeddedPostgres.start(data, 20)) {
      execute(postgres.url().owner(), "CREATE TABLE said (n bigint PRIMARY KEY, body text)");
    }
    Backup.make(folder, backup, _ -> {});
    byte[] first = Files.readAllBytes(backup);
    refused(() -> Backup.make(folder, backup, _ -> {}), "exists already");
    assertThat(backup).hasBinaryContent(first);
    refused(() -> Restore.make(backup, folder, _ -> {}), "is not empty");
    refused(() -> Backup.make(target, backup, _ -> {}), "There is no embedded PostgreSQL");

    Files.write(backup, Arrays.copyOf(first, first.length / 2));
    refused(() -> Restore.make(backup, target, _ -> {}), "damaged or no backup");
    assertThat(target).doesNotExist();
    try (var left = Files.list(folder.getParent())) {
      assertThat(left).containsExactlyInAnyOrder(folder, backup);
    }
    Files.write(backup, first);
    Files.createDirectory(target);
    assertThat(Restore.make(backup, target, _ -> {})).isEqualTo(target);
    assertThat(target.resolve("postgres/data/PG_VERSION")).exists();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void refused(Work work, String why) {
    assertThatThrownBy(work::run)
        .isInstanceOf(EmbeddedServerException.class)
        .hasMessageContaining(why);
  }

  private void speak(PostgresUrl url) {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      while (!stopping.get()) {
        long n = committed.get() + 1;
        statement.execute("INSERT INTO said VALUES (" + n + ", repeat('" + n + "', 200))");
        committed.set(n);
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /// Moves the log on and gives its files free, as a long backup sees it.
  private void recycle(PostgresUrl url) {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      while (!stopping.get()) {
        statement.execute("SELECT pg_switch_wal()");
        statement.execute("CHECKPOINT");
        recycled.incrementAndGet();
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static long number(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
