package io.confab.terminal;

import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A server with one empty room that takes sends and acknowledges none until it is told to; over
/// HTTP it is busy until then.
final class MuteServer {
  static final String ROOM = "000000000000a";

  private static final JsonObject POSITION =
      new JsonObject().put("room_id", ROOM).put("epoch", 1).put("seq", 0).put("rev", 0);

  private static final JsonObject LOBBY =
      POSITION.copy().put("type", "channel").put("name", "lobby").put("member_count", 1);

  private final HttpServer server;
  private final Set<ServerWebSocket> sockets = ConcurrentHashMap.newKeySet();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean acknowledges;

  MuteServer(Vertx vertx) {
    this.server =
        Futures.get(
            vertx
                .createHttpServer(new HttpServerOptions().addWebSocketSubProtocol("confab.v1"))
                .requestHandler(this::answer)
                .webSocketHandler(this::talk)
                .listen(0, "127.0.0.1"));
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.actualPort());
  }

  private void answer(HttpServerRequest request) {
    if (request.method().equals(HttpMethod.POST)) {
      request.body().onSuccess(body -> send(request, body.toJsonObject()));
      return;
    }
    JsonObject body =
        switch (request.path()) {
          case "/v1/rooms" -> new JsonObject().put("rooms", new JsonArray().add(LOBBY));
          case "/v1/rooms/" + ROOM -> LOBBY;
          case "/v1/rooms/" + ROOM + "/messages" ->
              new JsonObject()
                  .put("messages", new JsonArray())
                  .put("has_older", false)
                  .put("has_newer", false)
                  .put("epoch", 1)
                  .put("seq", 0)
                  .put("rev", 0);
          case "/v1/rooms/" + ROOM + "/members" -> new JsonObject().put("members", new JsonArray());
          default -> throw new IllegalStateException(request.path());
        };
    request.response().end(body.encode());
  }

  private void send(HttpServerRequest request, JsonObject message) {
    boolean taken = acknowledges; // as it stood when this send came
    sent.add(message.getString("client_id") + " " + message.getString("body"));
    JsonObject busy =
        new JsonObject().put("code", "unavailable").put("message", "busy").put("retryable", true);
    if (taken) {
      JsonObject stored = POSITION.copy().put("client_id", message.getString("client_id"));
      request.response().setStatusCode(201).end(stored.encode());
    } else {
      request.response().setStatusCode(503).end(new JsonObject().put("error", busy).encode());
    }
  }

  /// The `client_id` and body of every send over HTTP, retries too.
  List<String> sent() {
    return List.copyOf(sent);
  }

  /// How many sockets were ever opened.
  int socketsOpened() {
    return opened.get();
  }

  private void talk(ServerWebSocket socket) {
    opened.incrementAndGet();
    sockets.add(socket);
    socket.textMessageHandler(text -> take(socket, new JsonObject(text)));
  }

  private void take(ServerWebSocket socket, JsonObject frame) {
    switch (frame.getString("type")) {
      case "hello" ->
          write(
              socket,
              new JsonObject()
                  .put("type", "welcome")
                  .put("account_id", "0000000000ann")
                  .put("rooms", new JsonArray().add(POSITION)));
      case "resume" ->
          write(
              socket,
              new JsonObject()
                  .put("type", "resumed")
                  .put("re", frame.getString("id"))
                  .put("rooms", new JsonArray()));
      case "message.send" -> {
        if (acknowledges) {
          write(
              socket,
              POSITION
                  .copy()
                  .put("type", "message.ack")
                  .put("client_id", frame.getString("client_id")));
        }
      }
      default -> {}
    }
  }

  private static void write(ServerWebSocket socket, JsonObject frame) {
    socket.writeTextMessage(frame.encode());
  }

  /// Acknowledges what comes from now on.
  void acknowledge() {
    acknowledges = true;
  }

  /// Closes all sockets.
  ///
  /// @param code of the close frame
  void hangUp(int code) {
    sockets.forEach(socket -> socket.close((short) code));
    sockets.clear();
  }
}
