package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Long runs of the ledger under kills, by `scripts/chaos`; not part of the tests.
class ChaosBench {
  @Test
  void mixed() throws IOException, InterruptedException {
    Plan plan =
        new Plan(
            Duration.ofSeconds(Long.getLong("confab.chaos.seconds", 120)),
            Long.getLong("confab.chaos.seed", System.nanoTime() & 0xFFFFFFL),
            Integer.getInteger("confab.chaos.nodes", 3),
            new Fleet.Size(32, 5, Integer.getInteger("confab.chaos.rate", 150)),
            Files.createTempDirectory("confab-chaos"));
    Outcome outcome = MixedRun.run(plan);
    System.out.println(outcome.text());
    String report = System.getProperty("confab.chaos.report", "");
    if (!report.isEmpty()) {
      Files.writeString(Path.of(report), outcome.text());
    }
    assertThat(outcome.isClean()).isTrue();
  }
}
