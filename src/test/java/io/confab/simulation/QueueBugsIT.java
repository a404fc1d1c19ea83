package io.confab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the functions of the database must not do wrong with the queues of devices, and a node with
/// what stands in them, tests of their own find.
@Tag("full")
@Timeout(600)
class QueueBugsIT {
  static boolean isOfQueues(Bug bug) {
    return bug.check().startsWith("queue.") || bug.check().startsWith("socket.Queue");
  }

  static Stream<Bug> bugs() {
    return Bugs.ofTheDatabase().stream().filter(QueueBugsIT::isOfQueues);
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void aPlantedBugIsCaught(Bug bug) {
    assertThat(Mutants.failures(bug))
        .as(bug.name())
        .hasAtLeastOneElementOfType(AssertionError.class);
  }
}
