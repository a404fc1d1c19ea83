package io.confab.bus;

import io.vertx.core.Future;

/// Where commands go to be answered; what asks needs to know nothing of how.
public interface Requests {
  /// Asks for an answer. Fails with the [io.confab.protocol.Refusal] of the command, with
  /// `unavailable` when nobody serves its address or the answer is late, and with `internal` for
  /// a bug in its handler. Commands of one lane from one event loop arrive in the order in which
  /// they were requested.
  <R extends BusMessage> Future<R> request(Command<R> command);
}
