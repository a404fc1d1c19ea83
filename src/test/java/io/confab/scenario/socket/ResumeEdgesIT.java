package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.AccountId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Rooms, members and messages that changed while a client was away, by every edge.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResumeEdgesIT {
  /// The node that tells of two rooms at most.
  private static final int FEW_ROOMS = 1;

  private Nodes nodes;
  private Person alice;
  private ChatClient speaker;

  /// Comes back; another one for each test.
  private Person bob;

  private int count;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    nodes.add(with(nodes.config(), "limits.rooms_per_account", 2));
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    speaker = ChatClient.hello(nodes.vertx(), nodes.port(0), alice.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void another() {
    bob = ApiClient.person(nodes.port(0), "bob" + count++, "Bob");
  }

  /// A channel of Alice's at rev 1.
  private String channel(String history) {
    return alice
        .at(nodes.port(0))
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "channel")
                .put("name", "edge " + count++)
                .put("history", history))
        .getString("room_id");
  }

  /// A channel with both at rev 2.
  private String room() {
    String room = channel("all");
    join(room);
    return room;
  }

  private void join(String room) {
    bob.at(nodes.port(0)).join(room);
  }

  private void leave(String room) {
    bob.at(nodes.port(0)).ok("DELETE", "/v1/rooms/" + room + "/members/me", null);
  }

  private void remove(String room) {
    alice.at(nodes.port(0)).ok("DELETE", "/v1/rooms/" + room + "/members/" + bob.accountId(), null);
  }

  private void add(String room) {
    alice
        .at(nodes.port(0))
        .ok("PUT", "/v1/rooms/" + room + "/members/" + bob.accountId(), new JsonObject());
  }

  private void say(String room, String... bodies) {
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (String body : bodies) {
      acks.add(speaker.send(room, "say-" + count++, body));
    }
    for (CompletableFuture<JsonObject> ack : acks) {
      assertThat(ChatClient.get(ack).getString("type")).isEqualTo("message.ack");
    }
  }

  private ChatClient back() {
    return back(0);
  }

  private ChatClient back(int node) {
    return ChatClient.hello(nodes.vertx(), nodes.port(node), bob.token());
  }

  private static JsonObject point(String room, long rev) {
    return ChatClient.point(room, 1, rev);
  }

  private static List<String> resumed(JsonObject frame) {
    assertThat(frame.getString("type")).as("%s", frame).isEqualTo("resumed");
    return frame.getJsonArray("rooms").stream()
        .map(JsonObject.class::cast)
        .map(
            room ->
                room.containsKey("gone")
                    ? "gone"
                    : room.getLong("rev") + (room.getBoolean("recovered") ? "" : " lost"))
        .toList();
  }

  /// The events of a room and what says that it came or went, in order.
  private static List<String> told(ChatClient client, String room) {
    return client.frames().stream()
        .filter(
            f ->
                room.equals(f.getString("room_id"))
                    || (f.containsKey("room")
                        && room.equals(f.getJsonObject("room").getString("room_id"))))
        .filter(f -> !List.of("message.ack", "marker").contains(f.getString("type")))
        .map(
            f ->
                switch (f.getString("type")) {
                  case "message.receive" -> f.getLong("rev") + " " + f.getString("body", "deleted");
                  case "room.event" -> f.getLong("rev") + " " + f.getString("kind");
                  case "room.added" -> "added at " + f.getJsonObject("room").getLong("rev");
                  default -> f.getString("type");
                })
        .toList();
  }

  @Test
  void joinedWhileAway() {
    ChatClient before = back();
    String room = room();
    say(room, "hi");
    ChatClient client = back();
    assertThat(resumed(client.resume(true))).isEmpty();
    say(room, "there");
    client.awaitRev(room, 4);
    assertThat(told(client, room)).containsExactly("4 there");
    before.cut();
  }

  @Test
  void joinedWhileAwayAndNamedFromTheBeginning() {
    String room = room();
    say(room, "hi");
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 0)))).containsExactly("3");
    client.awaitRev(room, 3);
    assertThat(told(client, room)).containsExactly("1 member.joined", "2 member.joined", "3 hi");
  }

  @Test
  void leftWhileAway() {
    String room = room();
    leave(room);
    say(room, "hi");
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 2)))).containsExactly("gone");
    say(room, "there");
    assertNothingComes(client, room);
  }

  private void assertNothingComes(ChatClient client, String room) {
    awaitMarker(client);
    assertThat(told(client, room)).isEmpty();
  }

  /// Until another room came, and what is said there: whatever was said before it has come, too.
  private void awaitMarker(ChatClient client) {
    String other = room();
    await().until(() -> told(client, other).stream().anyMatch(line -> line.startsWith("added ")));
    say(other, "marker");
    client.awaitRev(other, 3);
  }

  @Test
  void removedWhileAwayAndNamedBeyondTheRemoval() {
    String room = room();
    remove(room);
    say(room, "hi");
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 4)))).containsExactly("gone");
    assertNothingComes(client, room);
  }

  @Test
  void leftAndJoinedAgainWhileAway() {
    String room = room();
    say(room, "hi");
    leave(room);
    say(room, "while out");
    join(room);
    say(room, "again");
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 2)))).containsExactly("7");
    say(room, "live");
    client.awaitRev(room, 8);
    assertThat(told(client, room))
        .containsExactly(
            "3 hi", "4 member.left", "5 while out", "6 member.joined", "7 again", "8 live");
  }

  @Test
  void leftAndJoinedAgainWhileAwayWhereOneSeesWhatIsSaidDuringOnesStay() {
    String room = channel("since_join");
    say(room, "before");
    join(room);
    say(room, "first");
    leave(room);
    say(room, "while out");
    join(room);
    say(room, "again");
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 1)))).containsExactly("8");
    say(room, "live");
    client.awaitRev(room, 9);
    assertThat(told(client, room))
        .containsExactly(
            "2 hidden",
            "3 member.joined",
            "4 first",
            "5 member.left",
            "6 hidden",
            "7 member.joined",
            "8 again",
            "9 live");
  }

  @Test
  void whatChangedOfWhatOneMayNotSeeIsANumber() {
    String room = channel("since_join");
    say(room, "before");
    join(room);
    say(room, "after");
    ChatClient.get(speaker.edit(room, 1, "e" + count++, "before, edited"));
    ChatClient.get(speaker.edit(room, 2, "e" + count++, "after, edited"));
    ChatClient.get(speaker.delete(room, 1));
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 1)))).containsExactly("7");
    client.awaitRev(room, 7);
    assertThat(told(client, room))
        .containsExactly(
            "2 hidden",
            "3 member.joined",
            "4 after, edited",
            "5 hidden",
            "6 message.edited",
            "7 hidden");
    assertThat(client.frames().toString()).doesNotContain("before");
  }

  @Test
  void editedAndDeletedMeanwhileComesInItsPresentStateAndTheChangesAfterIt() {
    String room = room();
    say(room, "one", "two", "three");
    ChatClient.get(speaker.edit(room, 1, "e" + count++, "one, once"));
    ChatClient.get(speaker.edit(room, 1, "e" + count++, "one, twice"));
    ChatClient.get(speaker.delete(room, 2));
    for (int pass = 0; pass < 2; pass++) {
      for (int node : List.of(0, FEW_ROOMS)) {
        ChatClient client = back(node);
        resumed(client.resume(true, point(room, 2)));
        client.awaitRev(room, 8);
        assertThat(told(client, room))
            .containsExactly(
                "3 one, twice",
                "4 deleted",
                "5 three",
                "6 message.edited",
                "7 message.edited",
                "8 message.deleted");
        assertThat(client.events(room).stream().map(e -> e.getLong("changed_rev")).limit(3))
            .containsExactly(7L, 8L, null);
        assertThat(client.frames().toString()).doesNotContain("two", "one, once");
        client.cut();
      }
    }
  }

  @Test
  void aRoomAddedBetweenWelcomeAndResumeComesRightAfterResumed() {
    String known = room();
    String room = channel("all");
    ChatClient client = back();
    add(room);
    client.request(new JsonObject().put("type", "ping"));
    say(room, "before resume");
    awaitLook(room);
    assertThat(resumed(client.resume(false, point(known, 1)))).containsExactly("2");
    client.awaitFrame("room.added");
    say(room, "live");
    client.awaitRev(room, 5);
    List<String> told = told(client, room);
    assertThat(told.getFirst()).startsWith("added at ");
    long at = Long.parseLong(told.getFirst().replace("added at ", ""));
    assertThat(client.events(room))
        .extracting(event -> event.getLong("rev"))
        .isEqualTo(LongStream.rangeClosed(at + 1, 5).boxed().toList());
    assertThat(types(client)).containsSubsequence("resumed", "room.added");
    assertThat(types(client).indexOf("room.added")).isGreaterThan(types(client).indexOf("resumed"));
  }

  /// Gives the signal time to arrive: another device of the same account has received it.
  private void awaitLook(String room) {
    ChatClient other =
        ChatClient.live(nodes.vertx(), nodes.port(0), bob.onAnotherDevice(nodes.port(0)).token());
    say(room, "look");
    other.awaitRev(room, 4);
    other.cut();
  }

  private static List<String> types(ChatClient client) {
    return client.frames().stream().map(f -> f.getString("type")).toList();
  }

  @Test
  void aRoomAddedBetweenWelcomeAndResumeAndNamedIsNotToldOfTwice() {
    String room = channel("all");
    ChatClient client = back();
    add(room);
    say(room, "three");
    assertThat(resumed(client.resume(true, point(room, 0)))).containsExactly("3");
    say(room, "live");
    client.awaitRev(room, 4);
    assertThat(told(client, room))
        .containsExactly("1 member.joined", "2 member.joined", "3 three", "4 live");
  }

  @Test
  void aRoomRemovedBetweenWelcomeAndResumeEndsThere() {
    String room = room();
    say(room, "three");
    ChatClient client = back();
    remove(room);
    say(room, "five");
    List<String> answers = resumed(client.resume(true, point(room, 2)));
    if (answers.equals(List.of("gone"))) {
      awaitMarker(client);
      assertThat(told(client, room)).isSubsetOf("room.removed");
    } else {
      client.awaitFrame("room.removed");
      assertThat(told(client, room)).containsExactly("3 three", "room.removed");
    }
  }

  @Test
  void aRoomRemovedAndAddedAgainBetweenWelcomeAndResumeGoesOn() {
    String room = room();
    say(room, "three");
    ChatClient client = back();
    remove(room);
    say(room, "five");
    add(room);
    say(room, "seven");
    resumed(client.resume(true, point(room, 2)));
    say(room, "eight");
    List<String> last = List.of("8 eight", "added at 8"); // by when it was looked at
    await().until(() -> told(client, room).stream().anyMatch(last::contains));
    List<String> told = told(client, room);
    assertThat(told).last().isIn(last);
    if (told.contains("room.removed")) {
      assertThat(told).containsSubsequence("3 three", "room.removed");
      assertThat(told).anyMatch(line -> line.startsWith("added at "));
    } else {
      assertThat(told).contains("3 three", "4 member.left", "6 member.joined", "7 seven");
    }
  }

  @Test
  void aGapTooFarIsNotReplayedInPart() {
    String room = room();
    String[] bodies =
        LongStream.rangeClosed(1, 1_001).mapToObj(i -> "m" + i).toArray(String[]::new);
    say(room, bodies);
    ChatClient client = back();
    assertThat(resumed(client.resume(true, point(room, 2)))).containsExactly("1003 lost");
    say(room, "live");
    client.awaitRev(room, 1_004);
    assertThat(told(client, room)).containsExactly("1004 live");
    client.cut();
    ChatClient nearer = back();
    assertThat(resumed(nearer.resume(true, point(room, 4)))).containsExactly("1004");
    nearer.awaitRev(room, 1_004);
    assertThat(nearer.events(room))
        .extracting(event -> event.getLong("rev"))
        .isEqualTo(LongStream.rangeClosed(5, 1_004).boxed().toList());
  }

  @Test
  void aGapTooFarForTheSessionIsNotReplayedInPart() {
    List<String> six = Stream.generate(this::room).limit(6).toList();
    String[] bodies = LongStream.rangeClosed(1, 900).mapToObj(i -> "m" + i).toArray(String[]::new);
    six.forEach(room -> say(room, bodies));
    ChatClient client = back();
    assertThat(
            resumed(
                client.resume(
                    true, six.stream().map(room -> point(room, 2)).toArray(JsonObject[]::new))))
        .containsExactly("902", "902", "902", "902", "902", "902 lost");
    six.forEach(room -> say(room, "live"));
    six.forEach(room -> client.awaitRev(room, 903));
    for (String room : six.subList(0, 5)) {
      assertThat(client.events(room))
          .extracting(event -> event.getLong("rev"))
          .isEqualTo(LongStream.rangeClosed(3, 903).boxed().toList());
    }
    assertThat(told(client, six.getLast())).containsExactly("903 live");
  }

  @Test
  void aThousandRoomsInOneResume() {
    nodes
        .database()
        .execute(
            """
            INSERT INTO room (room_id, type, name, history, member_count)
            SELECT i, 'group', 'many ' || i, 'all', 1 FROM generate_series(1000001, 1000999) i;
            INSERT INTO room_position (room_id, last_seq, last_rev)
            SELECT i, 0, 1 FROM generate_series(1000001, 1000999) i;
            INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
            SELECT i, 1, 0, 'member.joined', %1$d, now(), '{"account_id":"%2$s"}'
              FROM generate_series(1000001, 1000999) i;
            INSERT INTO room_member (room_id, account_id, role)
            SELECT i, %1$d, 'owner' FROM generate_series(1000001, 1000999) i;
            INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
            SELECT i, %1$d, 1, 1 FROM generate_series(1000001, 1000999) i;
            """
                .formatted(AccountId.parse(bob.accountId()).value(), bob.accountId()));
    String spoken = room();
    say(spoken, "hi");
    ChatClient client = back();
    JsonArray rooms = client.welcome().getJsonArray("rooms");
    assertThat(rooms).hasSize(1_000);
    JsonObject[] points =
        rooms.stream()
            .map(room -> point(((JsonObject) room).getString("room_id"), 0))
            .toArray(JsonObject[]::new);
    List<String> answers = resumed(client.resume(true, points));
    assertThat(answers).hasSize(1_000).containsOnly("1", "3");
    await().until(() -> client.frames("room.event").size() == 999 + 2);
    client.awaitRev(spoken, 3);
    assertThat(client.frames("room.event").stream().map(f -> f.getString("room_id")).distinct())
        .hasSize(1_000);
  }

  @Test
  void roomsBeyondWhatWelcomeTellsAreLiveOnceNamed() {
    List<String> rooms = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String room = room();
      say(room, "three");
      rooms.add(room);
    }
    awaitDigests();
    ChatClient client = back(FEW_ROOMS);
    assertThat(client.welcome().getBoolean("more_rooms")).isTrue();
    assertThat(client.welcome().getJsonArray("rooms").stream())
        .extracting(room -> ((JsonObject) room).getString("room_id"))
        .containsExactlyInAnyOrder(rooms.get(2), rooms.get(3));
    client.resume(true);
    rooms.forEach(room -> say(room, "four"));
    client.awaitRev(rooms.get(2), 4);
    client.awaitRev(rooms.get(3), 4);
    assertThat(told(client, rooms.get(2))).containsExactly("4 four");
    assertThat(resumed(client.resume(false, point(rooms.get(0), 2)))).containsExactly("4");
    client.awaitRev(rooms.get(0), 4);
    rooms.forEach(room -> say(room, "five"));
    client.awaitRev(rooms.get(0), 5);
    client.awaitRev(rooms.get(3), 5);
    assertThat(told(client, rooms.get(0))).containsExactly("3 three", "4 four", "5 five");
    assertThat(told(client, rooms.get(1))).isEmpty();
  }

  /// Nobody receives again what digests brought before this.
  private void awaitDigests() {
    long now = digests();
    await().until(() -> digests() >= now + 3);
  }

  private long digests() {
    return nodes
        .metrics(0)
        .lines()
        .filter(line -> line.startsWith("confab_digests_published_total "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }
}
