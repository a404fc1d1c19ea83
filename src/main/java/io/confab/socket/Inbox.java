package io.confab.socket;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// Bounds the requests of one session that are under way: beyond it the socket is not read. A
/// request whose answer finds the way out full is under way until that has drained, so a client
/// that does not read is not read from.
final class Inbox {
  private final Session session;
  private final SocketChannel channel;
  private final int most;
  private int underWay;

  /// Once no request is taken any more.
  private @Nullable Promise<Void> finished;

  Inbox(Session session, SocketChannel channel, int most) {
    this.session = session;
    this.channel = channel;
    this.most = most;
  }

  void text(String text) {
    if (finished != null) {
      return; // unanswered: its sender asks again on the next connection
    }
    underWay++;
    if (underWay == most) {
      channel.pause();
    }
    session
        .text(text)
        .transform(_ -> channel.isFull() ? channel.drained() : Future.succeededFuture())
        .onComplete(_ -> answered());
  }

  private void answered() {
    if (underWay == most) {
      channel.resume();
    }
    underWay--;
    finishWhenIdle();
  }

  /// Takes no request any more; done when those under way are answered.
  Future<Void> finish() {
    Promise<Void> promise = finished == null ? Promise.promise() : finished;
    finished = promise;
    finishWhenIdle();
    return promise.future();
  }

  private void finishWhenIdle() {
    if (finished != null && underWay == 0) {
      finished.tryComplete();
    }
  }
}
