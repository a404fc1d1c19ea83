package io.confab.time;

import java.time.Duration;

/// Runs something later on the event loop it belongs to.
public interface Timers {
  void after(Duration delay, Runnable action);
}
