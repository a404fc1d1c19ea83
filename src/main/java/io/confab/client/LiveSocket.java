package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The one WebSocket of a client. Whatever arrives on a socket that was dropped is ignored.
final class LiveSocket {
  private static final Duration CONNECT = Duration.ofSeconds(9);
  private static final int LARGEST = 4 << 20;
  private static final short NO_CLOSE_FRAME = 1006;

  private final WebSocketClient sockets;
  private final Events events;
  private @Nullable ClientWebSocket socket;
  private boolean isOpen;

  /// What becomes of a socket.
  interface Events {
    void opened();

    void unopened();

    void frame(JsonNode frame);

    void closed(int code);
  }

  LiveSocket(Vertx vertx, Events events) {
    this.sockets =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setMaxFrameSize(LARGEST).setMaxMessageSize(LARGEST));
    this.events = events;
  }

  void open(URI server) {
    ClientWebSocket mine = sockets.webSocket();
    socket = mine;
    isOpen = false;
    mine.textMessageHandler(text -> ifCurrent(mine, () -> events.frame(ClientJson.tree(text))));
    mine.exceptionHandler(_ -> {}); // its closing follows
    mine.closeHandler(_ -> ifCurrent(mine, () -> closed(mine)));
    mine.connect(upgrade(server))
        .onSuccess(_ -> opened(mine))
        .onFailure(_ -> ifCurrent(mine, this::unopened));
  }

  private static WebSocketConnectOptions upgrade(URI server) {
    boolean ssl = "https".equals(server.getScheme());
    int port = server.getPort() >= 0 ? server.getPort() : ssl ? 443 : 80;
    WebSocketConnectOptions upgrade =
        new WebSocketConnectOptions()
            .addSubProtocol("confab.v1")
            .setAllowOriginHeader(false)
            .setTimeout(CONNECT.toMillis());
    upgrade.setHost(server.getHost()).setPort(port).setSsl(ssl).setURI("/v1/socket");
    return upgrade;
  }

  private void opened(ClientWebSocket mine) {
    if (socket == mine) {
      isOpen = true;
      events.opened();
    } else {
      mine.close(); // dropped meanwhile
    }
  }

  private void closed(ClientWebSocket mine) {
    socket = null;
    events.closed(Optional.ofNullable(mine.closeStatusCode()).orElse(NO_CLOSE_FRAME));
  }

  private void unopened() {
    socket = null;
    events.unopened();
  }

  private void ifCurrent(ClientWebSocket mine, Runnable event) {
    if (socket == mine) {
      event.run();
    }
  }

  /// Writes a frame; without a socket the frame is lost.
  void write(JsonNode frame) {
    if (socket != null && isOpen) {
      socket.writeTextMessage(frame.toString());
    }
  }

  /// Drops the socket, when there is one; what was written before still goes out. One that opens
  /// later is closed then.
  Future<Void> drop() {
    ClientWebSocket mine = socket;
    socket = null;
    return mine != null && isOpen ? mine.close() : Future.succeededFuture();
  }

  Future<Void> shutdown() {
    return sockets.close();
  }
}
