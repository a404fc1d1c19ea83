package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.Nodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The tests of `@confab/client` that want a node (`web/client/test/node`), on Node.js.
@Timeout(300)
class WebClientIT {
  private static final long SECONDS = 240;

  @Test
  void thePackageOfTheWebClientTalksWithANode(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    try (Nodes nodes = Nodes.start(1)) {
      ProcessBuilder tests = new ProcessBuilder("node", "web/client/scripts/test.mjs", "--node");
      tests.environment().put("CONFAB_SERVER", "http://127.0.0.1:" + nodes.port(0));
      Process process = tests.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      try {
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      assertThat(process.exitValue()).as(() -> read(output)).isZero();
      assertThat(read(output)).containsPattern("(?m)^[#ℹ] pass [1-9]").contains("fail 0");
    }
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
