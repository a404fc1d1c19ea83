package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One of two nodes is stopped in good order while everybody talks.
@Tag("full")
@Timeout(900)
class RollingStopIT {
  private static final long SEED = 20261122;

  @Test
  void clientsMoveWithAtMostTwoReconnectsAndMissNothing(@TempDir Path folder) {
    Plan plan = new Plan(Duration.ZERO, SEED, 2, new Fleet.Size(24, 4, 60), folder);
    try (Stage stage = Stage.set(plan)) {
      stage.open();
      List<String> faults = new RollingStop(stage).run(List.of(stage.world().machines().getLast()));
      RunResult outcome = stage.finish();

      assertThat(faults).isEmpty();
      assertThat(outcome.isClean()).as(outcome.text()).isTrue();
      assertThat(outcome.counts().get("Acked")).isGreaterThan(50);
    }
  }
}
