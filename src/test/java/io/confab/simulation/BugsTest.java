package io.confab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The planted bugs quote the sources as they are now; that each is caught, the integration tests
/// try.
class BugsTest {
  static Stream<Bug> bugs() {
    return Stream.of(Bugs.simulated(), Bugs.ofTheDatabase(), List.of(Bugs.ackBeforeCommit()))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void whatABugChangesStandsInTheSourceOnce(Bug bug) throws IOException {
    assertThat(Mutant.changed(bug)).isNotEmpty();
  }

  @Test
  void eachNumberOfAHistoryIsThatOfABug() {
    assertThat(Bugs.simulated()).extracting(Bug::name).containsAll(PlantedBugs.FOUND_AT.keySet());
    assertThat(PlantedBugs.FOUND_AT.values())
        .allSatisfy(seed -> assertThat(seed).isBetween(1, PlantedBugs.MOST_SEEDS));
  }
}
