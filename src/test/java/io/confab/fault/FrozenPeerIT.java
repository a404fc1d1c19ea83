package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.OwnRedis;
import io.confab.testing.Ports;
import io.confab.testing.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two nodes of a cluster, of which the one that made it stands still.
@Timeout(400)
class FrozenPeerIT {
  private final int firstPort = Ports.freeRun(4);
  private Path folder;
  private TestDatabase database;
  private OwnRedis redis;
  private NodeProcess frozen;
  private NodeProcess other;

  @BeforeEach
  void start(@TempDir Path empty) {
    folder = empty;
    database = TestDatabase.create();
    redis = OwnRedis.start();
    frozen = node(0);
    other = node(1);
    await().until(() -> other.output().contains(" joined with "));
  }

  @AfterEach
  void stop() {
    Stream.of(other, frozen).filter(Objects::nonNull).forEach(NodeProcess::close);
    redis.close();
    database.close();
  }

  private NodeProcess node(int index) {
    return NodeProcess.start(
        folder.resolve("node" + index),
        0,
        Map.of(
            "CONFAB_POSTGRES_URL",
            TestDatabase.address(database.url()),
            "CONFAB_REDIS_URL",
            redis.address(),
            "CONFAB_CLUSTER_ENABLED",
            "true",
            "CONFAB_CLUSTER_MEMBERS",
            "127.0.0.1:%d,127.0.0.1:%d".formatted(firstPort, firstPort + 1),
            "CONFAB_CLUSTER_PORT",
            Integer.toString(firstPort + index),
            "CONFAB_CLUSTER_BUS_PORT",
            Integer.toString(firstPort + 2 + index)));
  }

  /// What takes too long is cut off with the process, and would not say that it is done.
  @Test
  void aNodeStopsInGoodOrderWithoutIt() {
    ProcessHandle process = ProcessHandle.of(frozen.pid()).orElseThrow();
    NodeProcess.signal(process, "STOP");
    try {
      other.terminate();
      assertThat(other.exit(Duration.ofMinutes(3))).isPresent();
      assertThat(other.output()).contains("Stopped in ").doesNotContain(" did not stop well");
    } finally {
      NodeProcess.signal(process, "CONT");
    }
  }
}
