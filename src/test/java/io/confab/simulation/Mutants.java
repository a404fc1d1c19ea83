package io.confab.simulation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
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

  /// A class, or one method of it after a `#`.
  private static DiscoverySelector tests(Mutant mutant, String check) {
    String[] names = check.split("#", 2);
    Class<?> type = mutant.load(TESTS + names[0]);
    return names.length == 1 ? selectClass(type) : selectMethod(type, names[1]);
  }

  /// What fails of the bug's tests with it in place.
  static List<Throwable> failures(Bug bug) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (Mutant mutant = Mutant.with(bug)) {
      thread.setContextClassLoader(mutant.loader());
      LauncherDiscoveryRequest tests =
          LauncherDiscoveryRequestBuilder.request().selectors(tests(mutant, bug.check())).build();
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
