package io.confab.testing;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits for futures, with a bound, from the thread of a test.
public final class Futures {
  private Futures() {}

  public static <T> T get(Future<T> future) {
    try {
      return future.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer in time", e);
    }
  }

  /// With which code the future is refused.
  public static ErrorCode refusal(Future<?> future) {
    try {
      throw new AssertionError("not refused: " + get(future));
    } catch (Refusal refusal) {
      return refusal.code();
    }
  }
}
