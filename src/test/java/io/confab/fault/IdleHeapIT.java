package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a node does with heap that it does not need.
@Timeout(200)
class IdleHeapIT {
  /// As on a machine of 32 GB.
  private static final long BEGINNING_MB = 512;

  @Test
  void aNodeGivesItBackAtItsStartAndHasG1DoSoWhenItIsCalm(@TempDir Path folder) {
    // Nothing else has it collect, as with the cache of faster starts, which brings its classes.
    List<String> options =
        List.of(
            "-XX:+UseG1GC",
            "-Xmx1g",
            "-XX:InitialHeapSize=" + BEGINNING_MB + "m",
            "-XX:MetaspaceSize=256m",
            "-Xlog:gc");
    try (NodeProcess node = NodeProcess.start(options, folder, 0, Map.of())) {
      Memory memory = new Memory(node.pid());
      await().until(() -> node.output().contains("Pause Full (System.gc())"));
      await().until(() -> memory.committedHeapMb() < BEGINNING_MB / 2);
      assertThat(memory.flags()).contains("-XX:G1PeriodicGCInterval=120000");
    }
  }
}
