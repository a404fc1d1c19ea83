package io.confab.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Makes all tests check a condition they wait for at once, and then often: a condition that holds
/// already costs no time. JUnit finds it as a service.
public final class PollingPace implements LauncherSessionListener {
  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(20);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(BETWEEN_CHECKS);
  }
}
