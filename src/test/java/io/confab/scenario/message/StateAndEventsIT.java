package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An old state and the events since it are the same as a fresh state, for every kind of event and
/// from every point in time, whether it is replayed from the recent window or from the database.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StateAndEventsIT {
  private static final int STEPS = 60;

  private Nodes nodes;
  private Person alice;
  private List<Person> others;
  private int count;

  @BeforeAll
  void start() {
    nodes = Nodes.start(3);
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    others =
        IntStream.range(0, 4)
            .mapToObj(i -> ApiClient.person(nodes.port(0), "other" + i, "Other"))
            .toList();
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// What a client knows of a room.
  private static final class State {
    private final long rev;
    private final TreeMap<Long, String> messages = new TreeMap<>();
    private final TreeSet<String> members = new TreeSet<>();
    private long memberCount;
    private boolean archived;

    State(long rev) {
      this.rev = rev;
    }

    void message(JsonObject message) {
      messages.put(
          message.getLong("seq"),
          message.containsKey("deleted_at")
              ? "deleted by " + message.getString("deleted_by")
              : message.getString("body")
                  + message.getLong("edited_at", 0L)
                  + message.getJsonArray("mentions", new JsonArray()));
    }

    void apply(JsonObject event) {
      if (event.getString("type").equals("message.receive")) {
        message(event);
        return;
      }
      switch (event.getString("kind")) {
        case "member.joined" -> {
          if (members.add(event.getString("account_id"))) {
            memberCount++;
          }
        }
        case "member.left" -> {
          if (members.remove(event.getString("account_id"))) {
            memberCount--;
          }
        }
        case "members" -> memberCount += event.getInteger("joined") - event.getInteger("left");
        case "message.edited" -> message(event.getJsonObject("message"));
        case "message.deleted" ->
            messages.put(event.getLong("seq"), "deleted by " + event.getString("deleted_by"));
        case "room.archived" -> archived = true;
        default -> throw new AssertionError("an event of a kind not known here: " + event);
      }
    }

    @Override
    public String toString() {
      return memberCount + " members" + members + messages + (archived ? " archived" : "");
    }
  }

  private State fresh(String room) {
    ApiClient api = alice.at(nodes.port(1));
    JsonObject view = api.ok("GET", "/v1/rooms/" + room, null);
    State state = new State(view.getLong("rev"));
    JsonArray messages =
        api.ok("GET", "/v1/rooms/" + room + "/messages?anchor=newest&limit=200", null)
            .getJsonArray("messages");
    messages.forEach(message -> state.message((JsonObject) message));
    api.ok("GET", "/v1/rooms/" + room + "/members", null)
        .getJsonArray("members")
        .forEach(member -> state.members.add(((JsonObject) member).getString("account_id")));
    state.memberCount = view.getLong("member_count");
    state.archived = view.containsKey("archived_at");
    return state;
  }

  private String channel() {
    return alice.at(nodes.port(0)).channel("state " + count++);
  }

  /// One thing that happens, at any node; refusals are part of it.
  private void step(String room, Random random) {
    int node = random.nextInt(2);
    ApiClient api = alice.at(nodes.port(node));
    Person other = others.get(random.nextInt(others.size()));
    String path = "/v1/rooms/" + room;
    String message = path + "/messages/" + (1 + random.nextInt(12));
    String id = room + count++;
    switch (random.nextInt(8)) {
      case 0, 1, 2 ->
          api.call(
              "POST",
              path + "/messages",
              new JsonObject().put("client_id", id).put("body", "say " + id + " @other1"));
      case 3, 4 ->
          api.call(
              "PATCH",
              message,
              new JsonObject().put("client_id", id).put("body", "edit " + id + " @all"));
      case 5 -> api.call("DELETE", message, null);
      case 6 -> other.at(nodes.port(node)).call("POST", path + "/join", null);
      default -> api.call("DELETE", path + "/members/" + other.accountId(), null);
    }
  }

  /// As the sole member's leaving does it, but with members left to see it.
  private void archive(String room) {
    nodes
        .database()
        .execute(
            """
            INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
            SELECT room_id, last_rev + 1, last_seq, 'room.archived', 1, now(), '{}'
              FROM room_position WHERE room_id = %1$d;
            UPDATE room_position SET last_rev = last_rev + 1, archived = true WHERE room_id = %1$d;
            UPDATE room SET archived_at = now() WHERE room_id = %1$d
            """
                .formatted(RoomId.parse(room).value()));
  }

  private void assertSame(String room, List<State> states) {
    State now = fresh(room);
    for (State old : states) {
      ChatClient client = ChatClient.hello(nodes.vertx(), nodes.port(2), alice.token());
      JsonObject resumed = client.resume(true, ChatClient.point(room, 1, old.rev));
      assertThat(resumed.getJsonArray("rooms").getJsonObject(0).getBoolean("recovered")).isTrue();
      if (old.rev < now.rev) {
        client.awaitRev(room, now.rev);
      }
      client.events(room).forEach(old::apply);
      assertThat(old.toString()).as("from rev %d", old.rev).isEqualTo(now.toString());
      client.cut();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anOldStateAndTheEventsSinceAreAFreshState(long seed) {
    Random random = new Random(seed);
    String room = channel();
    List<State> fromWindow = new ArrayList<>();
    List<State> fromDatabase = new ArrayList<>();
    fromWindow.add(new State(0));
    fromDatabase.add(new State(0));
    for (int i = 0; i < STEPS; i++) {
      step(room, random);
      if (random.nextInt(6) == 0) {
        fromWindow.add(fresh(room));
        fromDatabase.add(fresh(room));
      }
    }
    assertSame(room, fromWindow);
    archive(room);
    assertSame(room, fromDatabase);
  }

  @Test
  void aRoomOfManyFirstMembersIsToldByTheirNumber() {
    nodes
        .database()
        .execute(
            """
            INSERT INTO account (account_id, handle, display_name)
            SELECT i, 'many' || i, 'Many' FROM generate_series(1000001, 1000250) i
            """);
    JsonArray members = new JsonArray();
    for (long id = 1_000_001; id <= 1_000_250; id++) {
      members.add(new AccountId(id).toString());
    }
    String room =
        alice
            .at(nodes.port(0))
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject().put("type", "group").put("name", "crowd").put("members", members))
            .getString("room_id");
    State state = new State(0);
    ChatClient client = ChatClient.hello(nodes.vertx(), nodes.port(2), alice.token());
    client.resume(true, ChatClient.point(room, 1, 0));
    client.awaitRev(room, 1);
    client.events(room).forEach(state::apply);
    assertThat(state.memberCount).isEqualTo(251).isEqualTo(fresh(room).memberCount);
  }
}
