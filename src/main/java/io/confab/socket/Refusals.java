package io.confab.socket;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/// Reads refusals as values where a "no" is an answer.
final class Refusals {
  private Refusals() {}

  static <T> Function<Throwable, Future<Optional<T>>> absentWhenNotFound() {
    return failure ->
        failure instanceof Refusal refusal && refusal.code() == ErrorCode.NOT_FOUND
            ? Future.succeededFuture(Optional.empty())
            : Future.failedFuture(failure);
  }

  static Refusal of(Throwable failure) {
    return failure instanceof Refusal refusal
        ? refusal
        : new Refusal(ErrorCode.INTERNAL, "an error of the server");
  }
}
