package io.confab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A few of the histories that `scripts/simulate` runs in numbers.
@Timeout(300)
class SimulationTest {
  private static final Quiet QUIET = new Quiet();

  @BeforeAll
  static void logNothing() {
    QUIET.begin();
  }

  @AfterAll
  static void logAgain() {
    QUIET.end();
  }

  @Test
  void whateverBreaksEveryHistoryEndsWhole() {
    List<HistoryResult> broken =
        LongStream.rangeClosed(1, 200)
            .parallel()
            .mapToObj(Simulation::run)
            .filter(outcome -> !outcome.isWhole())
            .toList();

    assertThat(broken).isEmpty();
  }

  @Test
  void aSeedTellsTheSameHistoryEveryTime() {
    for (long seed = 1; seed <= 10; seed++) {
      assertThat(Simulation.run(seed).fingerprint()).isEqualTo(Simulation.run(seed).fingerprint());
    }
  }
}
