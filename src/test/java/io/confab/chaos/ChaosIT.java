package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each kind of fault at least once, if the machine is quick enough, and the ledger afterwards.
@Tag("alone")
@Timeout(900)
class ChaosIT {
  private static final long SEED = 20261121;

  @Test
  void nothingIsLostRepeatedOrOutOfOrderWhateverBreaks(@TempDir Path folder)
      throws InterruptedException {
    RunResult outcome =
        MixedRun.run(new Plan(Duration.ofSeconds(90), SEED, 3, new Fleet.Size(32, 5, 60), folder));

    assertThat(outcome.isClean()).as(outcome.text()).isTrue();
    assertThat(outcome.faults()).hasSizeGreaterThan(3);
    assertThat(outcome.counts().get("Acked")).isGreaterThan(100);
    assertThat(outcome.counts())
        .containsKeys("Revoked", "Archived", "member.left", "member.role", "member.muted");
  }
}
