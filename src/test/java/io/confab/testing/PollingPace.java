package io.confab.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Has all tests look at what they wait for at once, and then often: what holds already costs
/// no time. Found by JUnit as a service.
public final class PollingPace implements LauncherSessionListener {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
  }
}
