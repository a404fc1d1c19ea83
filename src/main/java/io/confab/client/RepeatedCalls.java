package io.confab.client;

import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/// Repeats a call whose outcome is unknown a few times; only for calls that may be made twice.
final class RepeatedCalls {
  private static final int MOST = 6;

  private final Vertx vertx;
  private final Backoff backoff;

  RepeatedCalls(Vertx vertx, Backoff backoff) {
    this.vertx = vertx;
    this.backoff = backoff;
  }

  <T> Future<T> run(Supplier<Future<T>> call) {
    return attempt(call, 0);
  }

  private <T> Future<T> attempt(Supplier<Future<T>> call, int failures) {
    return call.get()
        .recover(
            failure ->
                failure instanceof ApiException refusal
                        && refusal.retryable()
                        && failures + 1 < MOST
                    ? vertx
                        .timer(Math.max(1, backoff.delay(failures).toMillis()))
                        .compose(_ -> attempt(call, failures + 1))
                    : Future.failedFuture(failure));
  }
}
