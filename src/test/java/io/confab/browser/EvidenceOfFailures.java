package io.confab.browser;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/// Writes what the browsers of a test that failed showed and told into `target/browser`, into a
/// folder of the test's name. JUnit finds it by itself.
public final class EvidenceOfFailures implements BeforeEachCallback, TestWatcher {
  private static final Path FOLDER = Path.of("target", "browser");

  /// Browsers are for one thread, and so are tests.
  private static final ThreadLocal<List<Evidence>> NOTED = ThreadLocal.withInitial(ArrayList::new);

  static void note(Evidence evidence) {
    NOTED.get().add(evidence);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    NOTED.get().removeIf(Evidence::isClosed);
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    Path folder =
        FOLDER.resolve(
            context.getRequiredTestClass().getSimpleName()
                + "."
                + context.getRequiredTestMethod().getName());
    int number = 0;
    for (Evidence evidence : NOTED.get()) {
      evidence.write(folder, "profile-" + ++number);
    }
  }
}
