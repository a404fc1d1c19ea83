package io.confab.socket;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/// Bounds the requests of one session that are under way: beyond it the socket is not read. A
/// request whose answer finds the way out full is under way until that has drained, so a client
/// that does not read is not read from.
final class Inbox {
  private final Session session;
  private final SocketChannel channel;
  private final int most;
  private final Promise<Void> finished = Promise.promise();
  private int underWay;
  private boolean finishing;

  Inbox(Session session, SocketChannel channel, int most) {
    this.session = session;
    this.channel = channel;
    this.most = most;
  }

  void text(String text) {
    if (finishing) {
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
    finishing = true;
    finishWhenIdle();
    return finished.future();
  }

  private void finishWhenIdle() {
    if (finishing && underWay == 0) {
      finished.tryComplete();
    }
  }
}
