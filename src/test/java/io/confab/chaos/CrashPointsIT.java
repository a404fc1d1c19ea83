package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.Invariant;
import io.confab.simulation.Bugs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Nodes that die between two steps of a change; `scripts/crash-points` does it at every point.
@Timeout(600)
class CrashPointsIT {
  private static final long SEED = 20261121;

  @Test
  void aNodeThatDiesBetweenTwoStepsLosesNothingUnlessTheirOrderIsWrong(@TempDir Path folder) {
    try (CrashRun run = CrashRun.on(folder, SEED)) {
      for (CrashPoint point :
          new CrashPoint[] {
            CrashPoint.UNDER_COMMIT, CrashPoint.AFTER_ACK, CrashPoint.AFTER_MEMBERSHIP_COMMIT
          }) {
        CrashRun.Row row = run.crash(point, 1);
        assertThat(row.isClean()).as(row + "\n" + row.wrong()).isTrue();
      }

      CrashRun.Row wrong =
          run.crash(
              CrashPoint.BEFORE_COMMIT,
              CrashPoint.BEFORE_COMMIT.plantedWith(Bugs.ackBeforeCommit()),
              1);
      assertThat(wrong.reached()).isEqualTo(1);
      assertThat(wrong.wrong()).anyMatch(v -> v.startsWith(Invariant.NOTHING_LOST.name()));
    }
  }
}
