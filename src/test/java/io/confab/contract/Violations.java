package io.confab.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails the test during which something went over the wire that the documents do not state.
/// JUnit finds this extension by itself, so no test has to name it.
public final class Violations implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final int SHOWN = 5;
  private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();
  private static volatile boolean watching;

  /// Whether tests run: a benchmark is not slowed down.
  static boolean isWatching() {
    return watching;
  }

  static void add(String violation) {
    SEEN.add(violation);
  }

  /// Takes what was seen so far.
  static List<String> take() {
    List<String> taken = new ArrayList<>();
    for (String seen = SEEN.poll(); seen != null; seen = SEEN.poll()) {
      taken.add(seen);
    }
    return taken;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    watching = true;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    check();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    check();
  }

  private static void check() {
    List<String> seen = take();
    if (!seen.isEmpty()) {
      throw new AssertionError(
          seen.size()
              + " violations of the documents:\n"
              + String.join("\n", seen.subList(0, Math.min(SHOWN, seen.size()))));
    }
  }
}
