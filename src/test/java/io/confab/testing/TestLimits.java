package io.confab.testing;

import io.confab.config.Config;
import io.confab.limit.Budget;
import io.confab.limit.EdgeLimits;
import io.confab.limit.Limits;
import io.confab.limit.SharedTries;
import io.confab.limit.SignInThrottle;
import io.confab.listener.TrustedProxies;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Limits of a node that has nobody to count with.
public final class TestLimits {
  private TestLimits() {}

  public static EdgeLimits of(Config config) {
    return of(config, Budget.withRoomFor(config.limits().bulkRequestBytes(), 0));
  }

  public static EdgeLimits of(Config config, Budget bodies) {
    Limits limits = limits(config, System::nanoTime);
    return new EdgeLimits(
        limits,
        new SignInThrottle(limits, new Alone(), System::nanoTime),
        new TrustedProxies(config.http()),
        bodies);
  }

  public static Limits limits(Config config, LongSupplier nanoTime) {
    return new Limits(
        config.rates(), (_, _, _, _) -> Future.failedFuture("alone"), _ -> {}, nanoTime);
  }

  private static final class Alone implements SharedTries {
    @Override
    public Future<Duration> begin(String who) {
      return Future.failedFuture("alone");
    }

    @Override
    public Future<Void> withdraw(String who) {
      return Future.failedFuture("alone");
    }

    @Override
    public Future<Void> forget(String who) {
      return Future.failedFuture("alone");
    }
  }
}
