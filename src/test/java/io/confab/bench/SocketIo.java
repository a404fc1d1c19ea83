package io.confab.bench;

import io.confab.testing.OwnPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// A chat server of Socket.IO on Node.js (`src/test/peers/socketio`) with a PostgreSQL of its own,
/// which runs from the same programs and by the same settings as the one that Confab embeds.
final class SocketIo implements Startable {
  static final String NAME = "Socket.IO";

  private static final Pattern READY = Pattern.compile("listens on (\\d+)\n");

  private final boolean stores;
  private final OwnPostgres postgres;
  private final Packages packages;
  private Launch server;
  private int port;

  /// @param stores whether messages are inserted before they are acknowledged
  SocketIo(boolean stores) {
    this.stores = stores;
    this.packages = Packages.install("socketio");
    this.postgres = new OwnPostgres();
    this.server = launch();
  }

  private Launch launch() {
    String database =
        "postgresql://postgres@127.0.0.1:%d/postgres".formatted(postgres.url().port());
    Launch launch = Launch.of(new ProcessBuilder("node", packages.file("server.js"), database));
    port = Integer.parseInt(launch.await(READY).group(1));
    return launch;
  }

  @Override
  public void stop() {
    server.close();
  }

  @Override
  public void start() {
    server = launch();
  }

  @Override
  public void ask() {
    new JsonApi(port, "none").get("/");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<Long> roots() {
    return List.of(server.pid(), postgres.pid());
  }

  @Override
  public Framing framing() {
    return new WebSocketFraming("/socket.io/?EIO=4&transport=websocket", "");
  }

  @Override
  public boolean echoes() {
    return false;
  }

  @Override
  public List<Speech> furnish(Layout layout) {
    String names = UUID.randomUUID().toString();
    List<String> rooms =
        IntStream.range(0, layout.rooms().size()).mapToObj(room -> names + room).toList();
    int[][] places = layout.places();
    return IntStream.range(0, layout.people())
        .<Speech>mapToObj(person -> speech(person, rooms, places[person]))
        .toList();
  }

  private Speech speech(int person, List<String> rooms, int[] places) {
    JsonArray own = new JsonArray();
    for (int i = 0; i < places.length; i += 2) {
      own.add(rooms.get(places[i]));
    }
    String auth = new JsonObject().put("person", "person " + person).put("rooms", own).encode();
    return new SocketIoSpeech(auth, stores ? "say" : "shout", rooms);
  }

  @Override
  public void close() {
    server.close();
    postgres.close();
    packages.close();
  }
}
