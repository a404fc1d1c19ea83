package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes begin at the same moment on servers that hold nothing.
@Timeout(240)
class StartTogetherIT {
  private static Config config(Path folder, OwnPostgres postgres, OwnRedis redis) {
    Config patient = TestConfig.patient(TestConfig.node(folder));
    return TestConfig.onServers(patient, postgres.url().text(), redis.address());
  }

  @Test
  void allOfThemServeAndTakeEachOthersTokens(@TempDir Path folder) {
    try (OwnPostgres postgres = new OwnPostgres();
        OwnRedis redis = OwnRedis.start()) {
      List<CompletableFuture<Node>> starting =
          IntStream.range(0, 3)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> Node.start(config(folder.resolve("n" + i), postgres, redis)),
                          task -> Thread.ofPlatform().start(task)))
              .toList();
      List<Node> nodes = starting.stream().map(CompletableFuture::join).toList();
      try {
        var alice = ApiClient.person(nodes.getFirst().port(), "alice", "Alice");
        assertThat(nodes)
            .allSatisfy(
                node ->
                    assertThat(alice.at(node.port()).call("GET", "/v1/me", null).status())
                        .isEqualTo(200));
      } finally {
        nodes.forEach(Node::close);
      }
    }
  }
}
