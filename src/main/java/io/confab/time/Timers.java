package io.confab.time;

import java.time.Duration;

/// Runs something later on the event loop it belongs to.
public interface Timers {
  /// How long a node waits before it asks again what it needs and did not get.
  Duration RETRY = Duration.ofMillis(250);

  void after(Duration delay, Runnable action);

  /// Tries something again that failed.
  default void retry(Runnable action) {
    after(RETRY, action);
  }
}
