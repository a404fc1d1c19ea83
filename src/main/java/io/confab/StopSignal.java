package io.confab;

import io.confab.logging.AccessLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// SIGTERM and Ctrl-C, obeyed from the first moment of a start on: the JVM ends when everything
/// that was started has stopped, or when that took too long.
final class StopSignal implements AutoCloseable {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /// Ends a start that is no longer wanted.
  static final class StoppedEarly extends RuntimeException {
    StoppedEarly() {
      super("stopped during the start", null, false, false);
    }
  }

  /// @param limit how long the JVM waits for [#close()]
  static StopSignal install(Duration limit) {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> signal.stop(limit), "stop"));
    return signal;
  }

  /// The JVM ends when its hooks have ended, also while threads still run.
  private void stop(Duration limit) {
    asked.countDown();
    try {
      stopped.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    AccessLog.end();
  }

  /// To be called between the steps of a start.
  ///
  /// @throws StoppedEarly when the JVM was asked to stop
  void check() {
    if (asked.getCount() == 0) {
      throw new StoppedEarly();
    }
  }

  /// Blocks until the JVM is asked to stop.
  void await() {
    try {
      asked.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Everything has stopped: the JVM may end.
  @Override
  public void close() {
    stopped.countDown();
  }
}
