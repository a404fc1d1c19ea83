package io.confab.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// How all tests wait for a condition: they check it at once, and then often, so that one that
/// holds already costs no time; and they wait long enough for a machine that does much else. JUnit
/// finds it as a service.
public final class Patience implements LauncherSessionListener {
  public static final Duration LIMIT = Duration.ofSeconds(90);

  private static final Duration SOON = Duration.ofSeconds(5);

  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(20);

  /// Whether it comes about. For what may be lost on its way: that is not waited for any longer,
  /// but done again.
  public static boolean soon(BooleanSupplier comesAbout) {
    long end = System.nanoTime() + SOON.toNanos();
    Awaitility.await().until(() -> comesAbout.getAsBoolean() || System.nanoTime() - end > 0);
    return comesAbout.getAsBoolean();
  }

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(BETWEEN_CHECKS);
    Awaitility.setDefaultTimeout(LIMIT);
  }
}
