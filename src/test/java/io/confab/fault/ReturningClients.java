package io.confab.fault;

import static java.util.Objects.requireNonNull;

import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Thousands of sockets in one process that are dropped and come back: each remembers where it
/// stands in its rooms, and what came since is checked number by number.
final class ReturningClients implements AutoCloseable {
  private final WebSocketClient http;
  private final int port;
  private final List<Returning> all = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

  ReturningClients(Vertx vertx, int port, List<Person> devices) {
    this.port = port;
    this.http = vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(20_000));
    devices.forEach(device -> all.add(new Returning(device)));
  }

  /// Opens all sockets; then all say hello at once, and each resumes as soon as it may. So a
  /// machine that is slow to open sockets does not spread the hellos.
  Future<?> connect() {
    return Future.all(all.stream().map(Returning::connect).toList())
        .onSuccess(_ -> all.forEach(Returning::hello));
  }

  void cut() {
    all.forEach(Returning::cut);
  }

  long resumed() {
    return all.stream().filter(one -> one.resumed).count();
  }

  /// How many have everything up to these revs in the rooms that they are in.
  long whole(Map<String, Long> heads) {
    return all.stream().filter(one -> one.isAt(heads)).count();
  }

  /// What went wrong: refusals, closes, numbers that are no successors.
  List<String> faults() {
    return List.copyOf(faults);
  }

  @Override
  public void close() {
    cut();
    http.close();
  }

  /// One device. Its frames come on one event loop.
  private final class Returning {
    private final Person device;
    private final Map<String, Long> revs = new ConcurrentHashMap<>();
    private volatile @Nullable WebSocket socket;
    private volatile boolean resumed;

    Returning(Person device) {
      this.device = device;
    }

    Future<WebSocket> connect() {
      resumed = false;
      return http.connect(
              new WebSocketConnectOptions()
                  .setHost("127.0.0.1")
                  .setPort(port)
                  .setURI("/v1/socket")
                  .setAllowOriginHeader(false)
                  .addSubProtocol("confab.v1"))
          .onSuccess(this::opened)
          .onFailure(no -> faults.add("connect: " + no));
    }

    private void opened(WebSocket opened) {
      opened.textMessageHandler(text -> heard(opened, new JsonObject(text)));
      socket = opened;
    }

    void hello() {
      requireNonNull(socket)
          .writeTextMessage(
              new JsonObject()
                  .put("type", "hello")
                  .put("token", device.token())
                  .put("device", new JsonObject().put("name", "test").put("platform", "test"))
                  .encode());
    }

    private void heard(WebSocket from, JsonObject frame) {
      switch (frame.getString("type")) {
        case "welcome" -> resume(from, frame.getJsonArray("rooms"));
        case "resumed" -> {
          frame.getJsonArray("rooms").stream()
              .map(JsonObject.class::cast)
              .filter(room -> !Boolean.TRUE.equals(room.getBoolean("recovered")))
              .forEach(room -> faults.add("not recovered: " + room));
          resumed = true;
        }
        case "message.receive", "room.event" ->
            event(frame.getString("room_id"), frame.getLong("rev"));
        case "marker", "message.ack" -> {}
        default -> faults.add(frame.encode());
      }
    }

    private void resume(WebSocket to, JsonArray rooms) {
      JsonArray points = new JsonArray();
      for (Object each : rooms) {
        JsonObject room = (JsonObject) each;
        long rev = revs.computeIfAbsent(room.getString("room_id"), _ -> room.getLong("rev"));
        points.add(
            new JsonObject()
                .put("room_id", room.getString("room_id"))
                .put("epoch", room.getLong("epoch"))
                .put("rev", rev));
      }
      to.writeTextMessage(
          new JsonObject().put("type", "resume").put("rooms", points).put("last", true).encode());
    }

    private void event(String room, long rev) {
      Long before = revs.put(room, rev);
      if (before == null || rev != before + 1) {
        faults.add(device.deviceId() + " in " + room + ": " + rev + " after " + before);
      }
    }

    boolean isAt(Map<String, Long> heads) {
      return !revs.isEmpty()
          && revs.entrySet().stream().allMatch(at -> at.getValue().equals(heads.get(at.getKey())));
    }

    void cut() {
      WebSocket open = socket;
      if (open != null) {
        open.shutdown(0, TimeUnit.MILLISECONDS);
      }
    }
  }
}
