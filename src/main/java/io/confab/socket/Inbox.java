package io.confab.socket;

import io.vertx.core.http.ServerWebSocket;

/// Bounds the requests of one session that are under way: beyond it the socket is not read.
final class Inbox {
  private final ServerWebSocket socket;
  private final Session session;
  private final int most;
  private int underWay;

  Inbox(ServerWebSocket socket, Session session, int most) {
    this.socket = socket;
    this.session = session;
    this.most = most;
  }

  void text(String text) {
    underWay++;
    if (underWay == most) {
      socket.pause();
    }
    session.text(text).onComplete(_ -> answered());
  }

  private void answered() {
    if (underWay == most) {
      socket.resume();
    }
    underWay--;
  }
}
