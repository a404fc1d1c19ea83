package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.Invariant;
import io.confab.simulation.Bugs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Nodes that die between two steps of a change; `scripts/crash-points` does it at every point.
@Tag("full")
@Timeout(1_200)
class CrashPointsIT {
  private static final long SEED = 20261121;
  private static final int MOST_DEATHS = 12;

  @Test
  void aNodeThatDiesBetweenTwoStepsLosesNothingUnlessTheirOrderIsWrong(@TempDir Path folder) {
    try (CrashRun run = CrashRun.on(folder, SEED, 1)) {
      List<String> wrong =
          run.round(
              CrashProgram.of(folder),
              List.of(CrashPoint.AFTER_ACK, CrashPoint.AFTER_MEMBERSHIP_COMMIT));

      assertThat(wrong).isEmpty();
      assertThat(run.reached(CrashPoint.AFTER_ACK)).isEqualTo(1);
      assertThat(run.reached(CrashPoint.AFTER_MEMBERSHIP_COMMIT)).isEqualTo(1);

      CrashProgram ackBeforeCommit = CrashProgram.of(Bugs.ackBeforeCommit(), folder);
      int deaths = 0;
      do { // until an early ack has reached its client before its node died
        wrong = run.round(ackBeforeCommit, List.of(CrashPoint.BEFORE_COMMIT));
        deaths++;
      } while (deaths < MOST_DEATHS && wrong.stream().noneMatch(CrashPointsIT::isLoss));

      assertThat(wrong).anyMatch(CrashPointsIT::isLoss);
      assertThat(run.reached(CrashPoint.BEFORE_COMMIT)).isEqualTo(deaths);
    }
  }

  private static boolean isLoss(String violation) {
    return violation.startsWith(Invariant.NOTHING_LOST.name());
  }
}
