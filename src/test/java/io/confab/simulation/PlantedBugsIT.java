package io.confab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The checks find what they are there to find.
@Tag("full")
@Timeout(300)
class PlantedBugsIT {
  private static final Quiet QUIET = new Quiet();

  @BeforeAll
  static void logNothing() {
    QUIET.begin();
  }

  @AfterAll
  static void logAgain() {
    QUIET.end();
  }

  static Stream<Bug> bugs() {
    return Bugs.simulated().stream();
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void aPlantedBugIsCaught(Bug bug) {
    assertThat(PlantedBugs.isCaught(bug)).as(bug.name()).isTrue();
  }
}
