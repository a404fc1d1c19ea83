package io.confab.simulation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// Runs the tests that have to find a planted bug.
final class Mutants {
  private static final String TESTS = "io.confab.";

  private Mutants() {}

  /// What fails of the bug's tests with it in place.
  static List<Throwable> failures(Bug bug) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (Mutant mutant = Mutant.with(bug)) {
      thread.setContextClassLoader(mutant.loader());
      LauncherDiscoveryRequest tests =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(mutant.load(TESTS + bug.check())))
              .build();
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      Launcher launcher = LauncherFactory.create();
      launcher.execute(tests, summary);
      return summary.getSummary().getFailures().stream()
          .map(TestExecutionSummary.Failure::getException)
          .toList();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
