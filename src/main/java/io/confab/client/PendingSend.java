package io.confab.client;

import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/// A message on its way. It is sent again until the server has stored or refused it.
public final class PendingSend {
  /// Only forward: from `QUEUED` to one of the others.
  public enum State {
    QUEUED,
    SENT,
    FAILED
  }

  private final Outgoing message;
  private final Promise<SentMessage> sent = Promise.promise();

  PendingSend(Outgoing message) {
    this.message = message;
  }

  public RoomId roomId() {
    return message.roomId();
  }

  public ClientId clientId() {
    return message.clientId();
  }

  public String body() {
    return message.body();
  }

  public State state() {
    if (!sent.future().isComplete()) {
      return State.QUEUED;
    }
    return sent.future().succeeded() ? State.SENT : State.FAILED;
  }

  /// Done when the server has stored it; fails with [ApiException] when it never will.
  public Future<SentMessage> sent() {
    return sent.future();
  }

  void settle(SentMessage stored) {
    sent.tryComplete(stored);
  }

  void fail(ApiException refusal) {
    sent.tryFail(refusal);
  }
}
