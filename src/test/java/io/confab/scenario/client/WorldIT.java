package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.ApiException;
import io.confab.demo.World;
import io.confab.protocol.CloseCode;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.screen.PlainScreen;
import io.confab.testing.Futures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The demo world: the days behind it, and where its building ended early.
@Timeout(240)
class WorldIT {
  private Nodes nodes;
  private HttpClient onward;

  @BeforeEach
  void start() {
    nodes = Nodes.start(0);
    nodes.add(nodes.ownerConfig());
    onward = nodes.vertx().createHttpClient();
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private World world(int port) {
    return new World(
        nodes.vertx(),
        List.of(URI.create("http://127.0.0.1:" + port)),
        new PlainScreen(new PrintWriter(new StringWriter()), false),
        nodes.node(0).past()::move);
  }

  /// A way to the node on which requests of this method are refused for good.
  private int wayWithout(HttpMethod refused) {
    HttpServer way =
        Futures.get(
            nodes
                .vertx()
                .createHttpServer()
                .requestHandler(
                    request -> {
                      if (request.method().equals(refused) && isOfMessage(request)) {
                        request.response().setStatusCode(403).end();
                      } else {
                        request.body().onSuccess(body -> pass(request, body));
                      }
                    })
                .listen(0, "127.0.0.1"));
    return way.actualPort();
  }

  private static boolean isOfMessage(HttpServerRequest request) {
    return request.path().contains("/messages/");
  }

  private void pass(HttpServerRequest request, Buffer body) {
    onward
        .request(request.method(), nodes.port(0), "127.0.0.1", request.uri())
        .compose(
            asked -> {
              request.headers().remove("host");
              asked.headers().addAll(request.headers());
              return asked.send(body);
            })
        .compose(answer -> answer.body().map(text -> new Answered(answer.statusCode(), text)))
        .onSuccess(
            answered -> request.response().setStatusCode(answered.status()).end(answered.body()));
  }

  private record Answered(int status, Buffer body) {}

  @Test
  void theNextRunMakesTheEditsAndDeletionsThatAnEarlierOneDidNotComeTo(@TempDir Path folder)
      throws Exception {
    int withoutEdits = wayWithout(HttpMethod.PATCH);
    assertThatThrownBy(() -> world(withoutEdits).build()).isInstanceOf(ApiException.class);
    int withoutDeletions = wayWithout(HttpMethod.DELETE);
    assertThatThrownBy(() -> world(withoutDeletions).build()).isInstanceOf(ApiException.class);

    world(nodes.port(0)).build();

    Terminal ada = new Terminal(folder, "http://127.0.0.1:" + nodes.port(0));
    assertThat(exported(ada, "lobby"))
        .anyMatch(line -> line.contains("and the questions at the end"));
    assertThat(exported(ada, "support")).anyMatch(line -> line.contains("\"deleted_at\""));
  }

  @Test
  void severalDaysLieBehindEachRoomAndNothingContradictsThem() throws Exception {
    Person eve = ApiClient.person(nodes.port(0), "eve", "Eve");
    String own = eve.at(nodes.port(0)).channel("eve's");
    ChatClient before = ChatClient.live(nodes.vertx(), nodes.port(0), eve.token());
    long epoch = epochOf(before);

    world(nodes.port(0)).build();

    assertThat(before.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    ChatClient back = ChatClient.hello(nodes.vertx(), nodes.port(0), eve.token());
    JsonObject resumed = back.resume(true, ChatClient.point(own, epoch, 1));
    assertThat(resumed.getJsonArray("rooms").getJsonObject(0).getBoolean("recovered")).isFalse();

    String token = token("ada");
    ApiClient ada = ApiClient.bearer(nodes.port(0), token);
    ChatClient socket = ChatClient.hello(nodes.vertx(), nodes.port(0), token);
    List<JsonObject> rooms = objects(ada.ok("GET", "/v1/rooms", null), "rooms");
    assertThat(rooms).hasSize(6);
    socket.resume(
        true,
        rooms.stream()
            .map(room -> ChatClient.point(room.getString("room_id"), epochOf(socket), 0))
            .toArray(JsonObject[]::new));
    for (JsonObject room : rooms) {
      assertTimes(ada, room, socket);
    }
  }

  private void assertTimes(ApiClient ada, JsonObject room, ChatClient socket) {
    String path = "/v1/rooms/" + room.getString("room_id");
    List<JsonObject> messages = messages(ada, room);
    assertThat(times(messages)).isSorted().doesNotHaveDuplicates();
    assertThat(messages.getLast().getLong("ts") - messages.getFirst().getLong("ts"))
        .isGreaterThan(Duration.ofDays(1).toMillis());
    assertThat(room.getJsonObject("last_message").getLong("ts"))
        .isEqualTo(messages.getLast().getLong("ts"));
    assertThat(Instant.ofEpochMilli(messages.getLast().getLong("ts")))
        .isAfter(Instant.now().minus(Duration.ofHours(1)));

    String start = path + "/events?limit=200&after_rev=0&epoch=" + epochOf(socket);
    List<JsonObject> events = objects(ada.ok("GET", start, null), "events");
    assertThat(times(events)).isSorted();
    socket.awaitRev(room.getString("room_id"), room.getLong("rev"));
    assertThat(times(socket.events(room.getString("room_id")))).isEqualTo(times(events));
    assertThat(events)
        .filteredOn(event -> "message.edited".equals(event.getString("kind")))
        .allSatisfy(
            event ->
                assertThat(event.getJsonObject("message").getLong("edited_at"))
                    .isEqualTo(event.getLong("ts")));

    assertThat(messages)
        .filteredOn(message -> message.containsKey("edited_at"))
        .allSatisfy(
            message -> {
              String versions = path + "/messages/" + message.getLong("seq") + "/versions";
              assertThat(times(objects(ada.ok("GET", versions, null), "versions")))
                  .containsExactly(message.getLong("ts"), message.getLong("edited_at"));
            });
    assertThat(objects(ada.ok("GET", path + "/members", null), "members"))
        .extracting(member -> member.getLong("joined_at"))
        .allMatch(joined -> joined < messages.getFirst().getLong("ts"));
  }

  @Test
  void whoSignsInFindsSomethingUnreadAndWhoWasMentioned() throws Exception {
    world(nodes.port(0)).build();

    ApiClient ada = ApiClient.bearer(nodes.port(0), token("ada"));
    assertThat(unread(ada, "lobby")).isEqualTo("1, mentioned in 1");
    assertThat(unread(ada, "travel")).isEqualTo("6, mentioned in 1");
    assertThat(unread(ada, "kitchen")).isEqualTo("0, mentioned in 0");
    ApiClient jonas = ApiClient.bearer(nodes.port(0), token("jonas"));
    assertThat(unread(jonas, "lobby")).isEqualTo("0, mentioned in 0");

    String lobby = "/v1/rooms/" + room(ada, "lobby").getString("room_id");
    long newest = room(ada, "lobby").getLong("seq");
    ada.ok("PUT", lobby + "/unread", new JsonObject().put("seq", newest - 2));
    world(nodes.port(0)).build();
    assertThat(unread(ada, "lobby")).isEqualTo("2, mentioned in 1");
  }

  private static String unread(ApiClient api, String name) {
    JsonObject room = room(api, name);
    return room.getLong("unread") + ", mentioned in " + room.getLong("mentions");
  }

  @Test
  void aSecondRunLeavesTheDaysAsTheyAre() throws Exception {
    world(nodes.port(0)).build();
    ApiClient ada = ApiClient.bearer(nodes.port(0), token("ada"));
    JsonObject rooms = ada.ok("GET", "/v1/rooms", null);

    assertThat(world(nodes.port(0)).build()).isZero();

    assertThat(ada.ok("GET", "/v1/rooms", null)).isEqualTo(rooms);
  }

  @Test
  void aRoomWhereSomebodyElseHasSpokenKeepsItsTimes() throws Exception {
    int withoutEdits = wayWithout(HttpMethod.PATCH);
    assertThatThrownBy(() -> world(withoutEdits).build()).isInstanceOf(ApiException.class);
    ApiClient ada = ApiClient.bearer(nodes.port(0), token("ada"));
    JsonObject lobby = room(ada, "lobby");
    List<JsonObject> before = messages(ada, lobby);
    ada.ok(
        "POST",
        "/v1/rooms/" + lobby.getString("room_id") + "/messages",
        new JsonObject().put("client_id", "own").put("body", "What is going on here?"));

    world(nodes.port(0)).build();

    assertThat(times(messages(ada, lobby)))
        .startsWith(times(before).toArray(Long[]::new))
        .isSorted();
    assertThat(messages(ada, room(ada, "kitchen")).getFirst().getLong("ts"))
        .isLessThan(times(before).getFirst());
  }

  private String token(String handle) {
    return ApiClient.stranger(nodes.port(0))
        .ok(
            "POST",
            "/v1/tokens",
            new JsonObject()
                .put("handle", handle)
                .put("password", World.PASSWORD)
                .put("device", new JsonObject().put("name", "test").put("platform", "test")))
        .getString("access_token");
  }

  private static long epochOf(ChatClient client) {
    return client.welcome().getJsonArray("rooms").getJsonObject(0).getLong("epoch");
  }

  private static JsonObject room(ApiClient api, String name) {
    return objects(api.ok("GET", "/v1/rooms", null), "rooms").stream()
        .filter(room -> name.equals(room.getString("name")))
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonObject> messages(ApiClient api, JsonObject room) {
    String path = "/v1/rooms/" + room.getString("room_id") + "/messages?anchor=oldest&limit=200";
    return objects(api.ok("GET", path, null), "messages");
  }

  private static List<JsonObject> objects(JsonObject page, String name) {
    return page.getJsonArray(name).stream().map(JsonObject.class::cast).toList();
  }

  private static List<Long> times(List<JsonObject> said) {
    return said.stream().map(each -> each.getLong("ts")).toList();
  }

  private static List<String> exported(Terminal ada, String room) {
    String password = World.PASSWORD + "\n";
    return ada.run(password, "export", "--as", "ada", "--room", room, "--password-stdin")
        .out()
        .lines()
        .toList();
  }
}
