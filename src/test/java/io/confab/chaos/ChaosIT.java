package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each kind of fault at least once, and the ledger afterwards.
@Tag("full")
@Timeout(1_500)
class ChaosIT {
  private static final long SEED = 20261121;
  private static final Duration LEAST = Duration.ofSeconds(90);
  private static final int PER_SECOND = 60;

  /// On a machine that others use too, devices may say a tenth of what they want to.
  private static final int GUARD = 10;

  @Test
  void nothingIsLostRepeatedOrOutOfOrderWhateverBreaks(@TempDir Path folder)
      throws InterruptedException {
    RunResult outcome =
        MixedRun.run(new Plan(LEAST, SEED, 3, new Fleet.Size(32, 5, PER_SECOND, 12), folder));

    assertThat(outcome.isClean()).as(outcome.text()).isTrue();
    assertThat(outcome.faults().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Nemesis.possible().stream().map(FaultKind::title).toList());
    assertThat(outcome.counts().get("Acked")).isGreaterThan(LEAST.toSeconds() * PER_SECOND / GUARD);
    assertThat(outcome.counts())
        .containsKeys("Revoked", "Archived", "member.left", "member.role", "member.muted")
        .containsKeys("TypingSaid", "TypingTold")
        .containsKeys("EnvelopeCame", "QueueMoved", "DeviceEnds", "StateTold", "device_mismatch");
  }
}
