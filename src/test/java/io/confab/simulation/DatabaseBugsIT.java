package io.confab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the functions of the database must not do wrong with messages and keys, tests of their own
/// find.
@Tag("full")
@Timeout(600)
class DatabaseBugsIT {
  static Stream<Bug> bugs() {
    return Bugs.ofTheDatabase().stream().filter(bug -> !QueueBugsIT.isOfQueues(bug));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void aPlantedBugIsCaught(Bug bug) {
    assertThat(Mutants.failures(bug))
        .as(bug.name())
        .hasAtLeastOneElementOfType(AssertionError.class);
  }

  /// What is loaded this way passes its tests as long as nothing is planted.
  @Test
  void withoutABugNothingFails() {
    assertThat(Mutants.failures(new Bug("none", "message.AppendStoreIT", List.of()))).isEmpty();
  }
}
