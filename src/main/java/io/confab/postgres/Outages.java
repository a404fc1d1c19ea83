package io.confab.postgres;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/// Tells a database that is away or busy, which is refused as `unavailable`, from a bug, which
/// stays what it is.
public final class Outages {
  private Outages() {}

  /// For `recover`: the same failure, or the refusal that it amounts to.
  public static <T> Future<T> refuse(Throwable failure) {
    return Future.failedFuture(
        isOutage(failure) ? Refusal.unavailable("the database is away or busy") : failure);
  }

  private static boolean isOutage(Throwable failure) {
    return switch (failure) {
      case PgException error -> FailureKind.of(error) != FailureKind.FAULT;
      case IOException _, TimeoutException _, VertxException _ -> true;
      default -> false;
    };
  }
}
