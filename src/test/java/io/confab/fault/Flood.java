package io.confab.fault;

import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// Somebody who says as much as the limits allow, with a few sends under way, and forgets what
/// comes.
final class Flood {
  private static final AtomicInteger FLOODS = new AtomicInteger();
  private static final int UNDER_WAY = 8;
  private static final int SHORTEST_PAUSE_MS = 20;

  private final Vertx vertx;
  private final WebSocketClient owner;
  private final WebSocket socket;
  private final List<String> rooms;
  private final String body;
  private final int total;
  private final String name = FLOODS.incrementAndGet() + "-";
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /// @param owner closes its sockets when nobody refers to it any more
  private Flood(
      Vertx vertx,
      WebSocketClient owner,
      WebSocket socket,
      List<String> rooms,
      String body,
      int total) {
    this.vertx = vertx;
    this.owner = owner;
    this.socket = socket;
    this.rooms = rooms;
    this.body = body;
    this.total = total;
    socket.textMessageHandler(this::heard);
    socket.closeHandler(_ -> closed());
  }

  /// Begins to send a text so often to each of the rooms in turn.
  static Flood begin(
      Vertx vertx, int port, String token, List<String> rooms, String body, int times) {
    WebSocketClient client =
        vertx.createWebSocketClient(new WebSocketClientOptions().setMaxFrameSize(1 << 20));
    WebSocket socket =
        client.connect(ChatClient.endpoint(port).addSubProtocol("confab.v1")).await();
    Flood flood = new Flood(vertx, client, socket, rooms, body, times * rooms.size());
    flood.say(new JsonObject().put("type", "hello").put("token", token));
    return flood;
  }

  private void welcomed() {
    say(new JsonObject().put("type", "resume").put("rooms", new JsonArray()).put("last", true));
    for (int i = 0; i < UNDER_WAY; i++) {
      sendNext();
    }
  }

  private void closed() {
    done.completeExceptionally(new IllegalStateException(socket.closeReason()));
  }

  private void say(JsonObject frame) {
    socket.writeTextMessage(frame.encode());
  }

  private void sendNext() {
    int number = next.getAndIncrement();
    if (number < total) {
      send(Integer.toString(number));
    }
  }

  private void send(String number) {
    say(
        new JsonObject()
            .put("type", "message.send")
            .put("id", number)
            .put("room_id", rooms.get(Integer.parseInt(number) % rooms.size()))
            .put("client_id", name + number)
            .put("body", body));
  }

  private void heard(String text) {
    if (text.startsWith("{\"type\":\"welcome\"")) {
      welcomed();
    } else if (text.startsWith("{\"type\":\"message.ack\"")) {
      if (acknowledged.incrementAndGet() == total) {
        done.complete(null);
      }
      sendNext();
    } else if (text.startsWith("{\"type\":\"error\"")) {
      JsonObject error = new JsonObject(text);
      if (error.getBoolean("retryable")) {
        long pause = Math.max(SHORTEST_PAUSE_MS, error.getLong("retry_after_ms", 0L));
        vertx.setTimer(pause, _ -> send(error.getString("re")));
      } else {
        done.completeExceptionally(new AssertionError(text));
      }
    }
  }

  int acknowledged() {
    return acknowledged.get();
  }

  /// Done when all is acknowledged; fails when the socket closes before.
  CompletableFuture<Void> done() {
    return done;
  }

  void close() {
    done.complete(null);
    socket.shutdown();
    owner.close();
  }
}
