package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.postgres.PostgresLogins;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Both servers below JVMs that are killed.
@Timeout(240)
class EmbeddedServersIT {
  private final Path folder;

  EmbeddedServersIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void killingTheJvmLeavesNoProcessBehind() throws IOException, InterruptedException {
    try (ChildNode child = ChildNode.start(folder)) {
      List<ProcessHandle> servers = child.servers();
      assertThat(servers.stream().map(p -> p.info().command().orElse("")))
          .anyMatch(command -> command.endsWith("/postgres"))
          .anyMatch(command -> command.endsWith("/redis-server"));
      child.kill();
      await().until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
    }
    Path log = folder.resolve("logs/postgres.log");
    int before = Files.readString(log).length();
    try (DataDir data = DataDir.open(folder);
        EmbeddedServer<PostgresLogins> _ =
            EmbeddedPostgres.start(data, TestServers.programs(), 20)) {
      await().until(() -> Files.readString(log).substring(before).contains("is ready to accept"));
    }
    // the stop was the orderly one, not the hard signal that would have come after 20 s
    assertThat(Files.readString(log).substring(before))
        .contains("database system was shut down at")
        .doesNotContain("not properly shut down");
  }

  @Test
  void theNextStartWaitsForTheServersOfAKilledJvm() throws IOException, InterruptedException {
    try (ChildNode child = ChildNode.start(folder)) {
      child.kill();
    }
    try (DataDir data = DataDir.open(folder);
        EmbeddedServer<PostgresLogins> postgres =
            EmbeddedPostgres.start(data, TestServers.programs(), 20)) {
      assertThat(postgres.state().running()).isTrue();
    }
  }

  @Test
  void aFolderInUseIsRefused() throws IOException {
    try (ChildNode child = ChildNode.start(folder)) {
      assertThatThrownBy(() -> DataDir.open(folder))
          .isInstanceOf(EmbeddedServerException.class)
          .hasMessageContaining("in use by another Confab (process " + child.pid() + ")");
    }
  }

  @Test
  void bothStartInOneFolderAndSayHowTheyAre() {
    Servers servers = Servers.open(config());
    assertThat(servers.postgresState()).hasValueSatisfying(this::isRunning);
    assertThat(servers.redisState()).hasValueSatisfying(this::isRunning);
    servers.close();
    assertThat(servers.postgresState()).hasValueSatisfying(this::isStopped);
    assertThat(servers.redisState()).hasValueSatisfying(this::isStopped);
  }

  @Test
  void withoutPostgresNoRedisIsLeft() throws IOException {
    TestServers.shareProgramsWith(folder);
    Files.createDirectories(folder.resolve("postgres/data"));

    assertNothingStarts("postgres.password is missing");
    assertThat(folder.resolve("secrets/redis.password")).exists(); // it had begun
  }

  @Test
  void withoutRedisNoPostgresIsLeft() throws IOException {
    TestServers.shareProgramsWith(folder);
    Files.createDirectories(folder.resolve("redis/redis.conf/in its place"));

    assertNothingStarts("Redis does not start");
    assertThat(folder.resolve("postgres/data/PG_VERSION")).exists();
  }

  /// Neither stays, and the folder may be opened again.
  private void assertNothingStarts(String why) {
    assertThatThrownBy(() -> Servers.open(config()))
        .isInstanceOf(EmbeddedServerException.class)
        .hasMessageContaining(why);
    await()
        .untilAsserted(
            () ->
                assertThat(ProcessHandle.allProcesses())
                    .noneMatch(p -> p.info().commandLine().orElse("").contains(folder.toString())));
    DataDir.open(folder).close();
  }

  private Config config() {
    return new ConfigLoader(Map.of()).load(null, Map.of("data_dir", folder.toString())).config();
  }

  private void isRunning(ServerState state) {
    assertThat(state.phase()).isEqualTo(ServerState.Phase.RUNNING);
  }

  private void isStopped(ServerState state) {
    assertThat(state.phase()).isEqualTo(ServerState.Phase.STOPPED);
  }
}
