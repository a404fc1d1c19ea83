package io.confab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// What the functions of the database and its connections must not do wrong, tests of their own
/// find.
@Tag("full")
@Timeout(600)
class DatabaseBugsIT {
  private static final String TESTS = "io.confab.";

  static Stream<Bug> bugs() {
    return Bugs.ofTheDatabase().stream();
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void aPlantedBugIsCaught(Bug bug) {
    assertThat(failures(bug)).as(bug.name()).hasAtLeastOneElementOfType(AssertionError.class);
  }

  /// What is loaded this way passes its tests as long as nothing is planted.
  @Test
  void withoutABugNothingFails() {
    assertThat(failures(new Bug("none", "message.AppendStoreIT", List.of()))).isEmpty();
  }

  private static List<Throwable> failures(Bug bug) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (Mutant mutant = Mutant.with(bug)) {
      thread.setContextClassLoader(mutant.loader());
      LauncherDiscoveryRequest torture =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(mutant.load(TESTS + bug.check())))
              .build();
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      Launcher launcher = LauncherFactory.create();
      launcher.execute(torture, summary);
      return summary.getSummary().getFailures().stream()
          .map(TestExecutionSummary.Failure::getException)
          .toList();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
