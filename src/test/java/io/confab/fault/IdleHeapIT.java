package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a node does with heap that it does not need.
@Tag("full")
@Timeout(900)
class IdleHeapIT {
  /// As on a machine of 32 GB.
  private static final long BEGINNING_MB = 512;

  @Test
  void aCalmNodeGivesItBack(@TempDir Path folder) {
    // Nothing else has it collect, as with the cache of faster starts, which brings its classes.
    List<String> options =
        List.of(
            "-XX:+UseG1GC",
            "-Xmx1g",
            "-XX:InitialHeapSize=" + BEGINNING_MB + "m",
            "-XX:MetaspaceSize=256m");
    try (NodeProcess node = NodeProcess.start(options, folder, 0, Map.of())) {
      Memory memory = new Memory(node.pid());
      assertThat(memory.committedHeapMb()).isGreaterThanOrEqualTo(BEGINNING_MB);
      await()
          .atMost(Duration.ofMinutes(10))
          .until(() -> memory.committedHeapMb() < BEGINNING_MB / 2);
    }
  }
}
