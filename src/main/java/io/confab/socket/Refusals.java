package io.confab.socket;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads refusals as values where a "no" is an answer.
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private Refusals() {}

  static <T> Function<Throwable, Future<Optional<T>>> absentWhenNotFound() {
    return failure ->
        failure instanceof Refusal refusal && refusal.code() == ErrorCode.NOT_FOUND
            ? Future.succeededFuture(Optional.empty())
            : Future.failedFuture(failure);
  }

  /// The refusal that a client gets for a failure. A failure that is no refusal is a
  /// bug of this node's edge:
  /// what came over the bus is a refusal already, and logged where it happened.
  static Refusal of(Throwable failure) {
    if (failure instanceof Refusal refusal) {
      return refusal;
    }
    LOG.error("A frame failed", failure);
    return new Refusal(ErrorCode.INTERNAL, "an error of the server");
  }
}
