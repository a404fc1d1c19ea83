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
  /// What is said of a call that was refused because of the server's disk.
  public static final String STORAGE = "the storage of the database is full or fails";

  private Outages() {}

  /// For `recover`: the same failure, or the refusal that it amounts to.
  public static <T> Future<T> refuse(Throwable failure) {
    return Future.failedFuture(
        switch (failure) {
          case PgException error -> refusal(error);
          case IOException _, TimeoutException _, VertxException _ ->
              Refusal.unavailable("the database is away or busy");
          default -> failure;
        });
  }

  private static Throwable refusal(PgException error) {
    return switch (FailureKind.of(error)) {
      case LOST, BUSY -> Refusal.unavailable("the database is away or busy");
      case STORAGE -> Refusal.unavailable(STORAGE);
      case FAULT -> error;
    };
  }
}
