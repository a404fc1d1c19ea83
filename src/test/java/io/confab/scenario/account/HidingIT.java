package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Sha256;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Whoever hides is, on every path on which others could hear of it, as an account that has never
/// been there: all that Bob hears of Ann, who hides from him in one of three ways and comes, types,
/// receives and reads, is compared with what he hears of Gus, who does nothing of that, in rooms of
/// the same kind with the same messages.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HidingIT {
  private static final int LARGE = 201;

  enum Hiding {
    FROM_NOBODY,
    FROM_EVERYBODY,
    BY_BLOCKING,
    WITHOUT_A_SHARED_ROOM
  }

  /// What is told of itself comes before what asks: an answer takes its place.
  enum Path {
    PRESENCE_FRAME,
    WATCH,
    HTTP_PRESENCE,
    SMALL_COUNT,
    LARGE_COUNT,
    TYPING,
    MARKER_FRAME,
    LIVE_ACK,
    ACK_AFTER_RESUME,
    READERS,
    DELIVERIES,
    SEAT_NAMES,
    WELCOME,
    ROOM_LIST
  }

  /// Of which it is hidden already whether anybody is there.
  private static final Set<Path> SAME_FOR_ALL = Set.of(Path.WELCOME, Path.ROOM_LIST);

  /// Somebody of whom Bob hears, and the rooms of both.
  private record Subject(Person person, String small, String large, String capped, String sealed) {}

  private final Map<Hiding, Scene> scenes = new EnumMap<>(Hiding.class);
  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    nodes
        .database()
        .execute(
            """
            INSERT INTO account (account_id, handle, display_name)
            SELECT i, 'member' || i, 'Member' FROM generate_series(1, %d) i
            """
                .formatted(LARGE));
  }

  @AfterAll
  void stop() {
    scenes.values().forEach(Scene::close);
    nodes.close();
  }

  private Scene scene(Hiding hiding) {
    return scenes.computeIfAbsent(hiding, Scene::new);
  }

  static Stream<Arguments> ways() {
    return Stream.of(Hiding.values())
        .filter(hiding -> hiding != Hiding.FROM_NOBODY)
        .flatMap(hiding -> Stream.of(Path.values()).map(path -> Arguments.of(hiding, path)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whoHidesIsAsOneWhoWasNeverThere(Hiding hiding, Path path) {
    Scene scene = scene(hiding);
    assertThat(scene.heard(path, scene.ann)).isEqualTo(scene.heard(path, scene.gus));
  }

  @Test
  void ofWhoDoesNotHideAllPathsTell() {
    Scene scene = scene(Hiding.FROM_NOBODY);
    for (Path path : Path.values()) {
      if (!SAME_FOR_ALL.contains(path)) {
        await(path.name()).until(() -> scene.isToldApart(path));
      }
    }
  }

  /// What happens once for each way to hide.
  private final class Scene {
    private final Hiding hiding;
    private final String unique = UUID.randomUUID().toString().substring(0, 8);
    private final Person bob = person(1, "bob");
    private final Person dave = person(1, "dave");
    private final Subject ann;
    private final Subject gus;
    private final ChatClient b;
    private final ChatClient a;
    private final ChatClient again;
    private long read = 2;

    Scene(Hiding hiding) {
      this.hiding = hiding;
      this.ann = subject("ann");
      this.gus = subject("gus");
      ApiClient atAnns = ann.person().at(nodes.port(0));
      switch (hiding) {
        case FROM_EVERYBODY ->
            atAnns.ok("PATCH", "/v1/me", new JsonObject().put("presence_visible_to", "nobody"));
        case BY_BLOCKING -> atAnns.ok("PUT", "/v1/blocks/" + bob.accountId(), null);
        case FROM_NOBODY, WITHOUT_A_SHARED_ROOM -> {}
      }
      this.b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
      await().until(this::bobIsThere);
      watch();
      if (!isApart()) {
        enter(b, ann.capped());
        enter(b, gus.capped());
      }
      for (Subject each : List.of(ann, gus)) {
        say(isApart() ? dave : bob, each.small(), "Hello");
        say(isApart() ? dave : bob, each.large(), "Hello");
        if (!isApart()) {
          seal(each, "Hello");
        }
      }
      this.a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.person().token());
      annIsThere();
      say(ann.person(), ann.small(), "So it is");
      say(gus.person(), gus.small(), "So it is");
      if (!isApart()) {
        b.awaitRev(gus.small(), 4);
        b.awaitRev(ann.small(), 4);
      }
      Person other = bob.onAnotherDevice(nodes.port(1));
      this.again = ChatClient.hello(nodes.vertx(), nodes.port(1), other.token());
      again.resume(
          true,
          again.welcome().getJsonArray("rooms").stream()
              .map(JsonObject.class::cast)
              .map(r -> ChatClient.point(r.getString("room_id"), r.getLong("epoch"), 1))
              .toArray(JsonObject[]::new));
    }

    private boolean bobIsThere() {
      return bob.at(nodes.port(1))
          .ok("GET", "/v1/presence?accounts=" + bob.accountId(), null)
          .encode()
          .contains("online");
    }

    private boolean isApart() {
      return hiding == Hiding.WITHOUT_A_SHARED_ROOM;
    }

    private Person person(int node, String name) {
      return ApiClient.person(nodes.port(node), name + "-" + unique, name);
    }

    /// Rooms of Dave with somebody, and with Bob unless that one is to share none with him.
    private Subject subject(String name) {
      Person person = person(0, name);
      List<String> members = new ArrayList<>(List.of(person.accountId()));
      if (!isApart()) {
        members.add(bob.accountId());
      }
      return new Subject(
          person, room("group", members), large(members), capped(members), sealed(members));
    }

    private String capped(List<String> members) {
      String room = room("group", members);
      dave.at(nodes.port(1)).ok("PATCH", "/v1/rooms/" + room, new JsonObject().put("capacity", 5));
      return room;
    }

    private String sealed(List<String> members) {
      String room = room("group", members);
      dave.at(nodes.port(1))
          .ok(
              "PATCH",
              "/v1/rooms/" + room,
              new JsonObject().put("encryption", new JsonObject().put("suite", "olm1")));
      return room;
    }

    /// What Bob sends to the device of somebody.
    private void seal(Subject to, String payload) {
      String devices =
          Stream.of(bob, to.person())
              .map(this::registration)
              .sorted()
              .map(Object::toString)
              .collect(Collectors.joining(","));
      bob.at(nodes.port(1))
          .ok(
              "POST",
              "/v1/rooms/" + to.sealed() + "/envelopes",
              new JsonObject()
                  .put("client_id", UUID.randomUUID().toString())
                  .put("devices", Sha256.hex(devices, 8))
                  .put("payload", payload));
    }

    /// The same one each time.
    private long registration(Person of) {
      return of.at(nodes.port(1))
          .ok(
              "PUT",
              "/v1/me/keys",
              new JsonObject().put("suite", "olm1").put("identity", "of " + of.deviceId()))
          .getLong("registration_id");
    }

    private String room(String type, List<String> members) {
      return dave.at(nodes.port(1))
          .ok(
              "POST",
              "/v1/rooms",
              new JsonObject()
                  .put("type", type)
                  .put("name", type + UUID.randomUUID())
                  .put("members", new JsonArray(members)))
          .getString("room_id");
    }

    private String large(List<String> members) {
      String room = room("group", members);
      nodes
          .database()
          .execute(
              """
              INSERT INTO room_member (room_id, account_id, role)
              SELECT %1$d, i, 'member' FROM generate_series(1, %2$d) i;
              INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
              SELECT %1$d, i, 1, 1 FROM generate_series(1, %2$d) i;
              UPDATE room SET member_count = member_count + %2$d WHERE room_id = %1$d
              """
                  .formatted(RoomId.parse(room).value(), LARGE));
      return room;
    }

    private void say(Person who, String room, String body) {
      JsonObject message =
          new JsonObject().put("client_id", UUID.randomUUID().toString()).put("body", body);
      Answer answer =
          who.at(nodes.port(0)).call("POST", "/v1/rooms/" + room + "/messages", message);
      assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    }

    private void annIsThere() {
      JsonObject typing = new JsonObject().put("room_id", ann.small());
      a.raw(typing.copy().put("type", "typing").encode());
      enter(a, ann.capped());
      for (String room : List.of(ann.small(), ann.large())) {
        for (String type : List.of("delivered", "read")) {
          if (type.equals("read") || room.equals(ann.small())) {
            done(new JsonObject().put("type", type).put("room_id", room).put("seq", 1));
          }
        }
      }
      if (!isApart()) {
        JsonObject first = new JsonObject().put("queue_seq", 1);
        assertThat(ann.person().at(nodes.port(0)).call("POST", "/v1/queue/ack", first).status())
            .isEqualTo(204);
        done(new JsonObject().put("type", "read").put("room_id", ann.sealed()).put("seq", 1));
      }
      done(new JsonObject().put("type", "presence.set").put("status", "away"));
      JsonObject status = new JsonObject().put("status", "away").put("text", "At lunch");
      ann.person().at(nodes.port(0)).call("PUT", "/v1/me/presence", status);
      a.raw(typing.copy().put("type", "typing.stop").encode());
    }

    /// Again while it is not known whether seats are there.
    private static void enter(ChatClient client, String room) {
      JsonObject frame = new JsonObject().put("type", "room.enter").put("room_id", room);
      JsonObject answer =
          await()
              .until(
                  () -> client.ask(frame), told -> !"unavailable".equals(told.getString("code")));
      assertThat(answer.getString("type")).as("%s", answer).isEqualTo("seat.inside");
    }

    /// What is lost on the way is heard with the next one of its kind.
    boolean isToldApart(Path path) {
      if (!heard(path, ann).equals(heard(path, gus))) {
        return true;
      }
      JsonObject here = new JsonObject().put("room_id", ann.small());
      a.raw(here.copy().put("type", "typing").encode());
      for (Subject each : List.of(ann, gus)) {
        say(bob, each.small(), "And now?");
      }
      done(here.put("type", "read").put("seq", ++read));
      return false;
    }

    private void done(JsonObject request) {
      JsonObject answer = a.ask(request);
      assertThat(answer.getString("type")).as("%s", answer).isEqualTo("ok");
    }

    private JsonObject watch() {
      Stream<String> rooms = Stream.of(ann, gus).flatMap(s -> Stream.of(s.small(), s.large()));
      return watch(
          List.of(ann.person().accountId(), gus.person().accountId()),
          isApart() ? List.of() : rooms.toList());
    }

    private JsonObject watch(List<String> accounts, List<String> rooms) {
      return b.ask(
          new JsonObject()
              .put("type", "presence.watch")
              .put("accounts", new JsonArray(accounts))
              .put("rooms", new JsonArray(rooms)));
    }

    /// All that Bob hears of somebody on one path, with ids and times that differ taken out.
    private List<String> heard(Path path, Subject of) {
      ApiClient api = bob.at(nodes.port(1));
      String id = of.person().accountId();
      return switch (path) {
        case WATCH -> texts(of, named(watch().getJsonArray("accounts"), "account_id", id));
        case HTTP_PRESENCE ->
            texts(of, Stream.of(api.call("GET", "/v1/presence?accounts=" + id, null).body()));
        case PRESENCE_FRAME -> texts(of, frames(b, "presence", id));
        case SMALL_COUNT -> count(of, of.small());
        case LARGE_COUNT -> count(of, of.large());
        case TYPING ->
            texts(of, Stream.concat(frames(b, "typing", id), frames(b, "typing.stop", id)));
        case MARKER_FRAME -> texts(of, frames(b, "marker", id));
        case LIVE_ACK -> texts(of, acks(b, of));
        case ACK_AFTER_RESUME -> texts(of, acks(again, of));
        case READERS ->
            Stream.of(of.small(), of.large())
                .map(room -> api.call("GET", "/v1/rooms/" + room + "/readers?seq=1", null))
                .map(answer -> answer.status() + text(of, answer.body()))
                .toList();
        case DELIVERIES -> {
          Answer answer = api.call("GET", "/v1/rooms/" + of.sealed() + "/deliveries", null);
          yield List.of(answer.status() + text(of, answer.body()));
        }
        case SEAT_NAMES -> seatNames(of, api);
        case WELCOME -> texts(of, roomsOf(of, again.welcome()));
        case ROOM_LIST -> texts(of, roomsOf(of, api.ok("GET", "/v1/rooms", null)));
      };
    }

    /// Numbers of seats count everybody.
    private List<String> seatNames(Subject of, ApiClient api) {
      Answer answer = api.call("GET", "/v1/rooms/" + of.capped() + "/seats", null);
      return List.of(
          answer.status()
              + text(of, new JsonObject().put("names", answer.body().getValue("accounts"))));
    }

    /// A room that Bob is not in he may not watch. Where the members are not counted in time, not
    /// even he is there.
    private List<String> count(Subject of, String room) {
      JsonObject state =
          await().until(() -> watch(List.of(), List.of(room)), this::isCountedOrRefused);
      watch();
      return texts(of, Stream.of(state));
    }

    private boolean isCountedOrRefused(JsonObject state) {
      return isApart()
          ? "not_found".equals(state.getString("code"))
          : state.containsKey("rooms")
              && state.getJsonArray("rooms").getJsonObject(0).getLong("online") > 0;
    }

    private Stream<JsonObject> frames(ChatClient client, String type, String account) {
      return client.frames(type).stream().filter(f -> account.equals(f.getString("account_id")));
    }

    private Stream<JsonObject> acks(ChatClient client, Subject of) {
      return client.frames("message.ack").stream()
          .filter(f -> Set.of(of.small(), of.large()).contains(f.getString("room_id")))
          .filter(f -> !"sent".equals(f.getString("status")));
    }

    private Stream<JsonObject> roomsOf(Subject of, JsonObject list) {
      JsonArray rooms = list.getJsonArray("rooms");
      return Stream.concat(
          named(rooms, "room_id", of.small()), named(rooms, "room_id", of.large()));
    }

    private static Stream<JsonObject> named(JsonArray all, String field, String id) {
      return all.stream().map(JsonObject.class::cast).filter(o -> id.equals(o.getString(field)));
    }

    private static List<String> texts(Subject of, Stream<JsonObject> all) {
      return all.map(each -> text(of, each)).collect(Collectors.toList());
    }

    private static String text(Subject of, JsonObject json) {
      return json.encode()
          .replace(of.person().accountId(), "WHO")
          .replace(of.small(), "SMALL")
          .replace(of.large(), "LARGE")
          .replaceAll("\"(re|name|client_id|request_id)\":\"[^\"]*\"", "\"$1\"")
          .replaceAll("\"ts\":\\d+", "\"ts\"");
    }

    void close() {
      Stream.of(a, b, again).forEach(ChatClient::cut);
    }
  }
}
