package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A crowd before rooms of five seats, while a node and Redis are killed.
@Timeout(900)
class SeatSoakIT {
  private static final long SEED = 20261125;

  /// On a machine that others use too.
  private static final Duration SLACK = Duration.ofSeconds(8);

  private static final Duration TURN = Duration.ofSeconds(5);

  @Test
  void neverAreThereTooManyInsideAndNobodyIsOvertaken(@TempDir Path folder)
      throws InterruptedException {
    SeatFindings findings =
        SeatRun.run(
            new SeatRun.Extent(
                new SeatCrowd.Size(60, 5, 1, 5),
                10,
                new SeatHabits(
                    Duration.ofSeconds(4), Duration.ofSeconds(1), Duration.ofSeconds(30)),
                Duration.ofSeconds(45),
                Duration.ofSeconds(7),
                SLACK,
                3,
                SEED,
                folder,
                List.of()),
            System.out::println);

    assertThat(findings.faults()).as(findings.text(0)).isEmpty();
    assertThat(findings.most()).isEqualTo(5);
    assertThat(findings.turns()).hasSizeGreaterThan(20);
    assertThat(findings.turn(0.5)).isLessThan(TURN);
  }
}
