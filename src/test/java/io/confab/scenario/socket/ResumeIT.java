package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.protocol.ClientFrame.RoomPoint;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.LiveHeap;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A client that comes back gets exactly what it missed, or hears that it cannot be had.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResumeIT {
  /// The node with small limits: 10 events a room, 15 a session.
  private static final int SMALL = 1;

  private Nodes nodes;
  private Person alice;
  private Person bob;
  private ChatClient speaker;
  private int rooms;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    Config second = nodes.config();
    nodes.add(
        with(
            with(second, "limits.resume_events_per_room", 10),
            "limits.resume_events_per_session",
            15));
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    speaker = ChatClient.hello(nodes.vertx(), nodes.port(0), alice.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// A channel with both at rev 2.
  private String room() {
    String room = alice.at(nodes.port(0)).channel("resume " + rooms++);
    bob.at(nodes.port(0)).join(room);
    return room;
  }

  private void say(String room, int messages) {
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      acks.add(speaker.send(room, "say-" + rooms++, "message " + i));
    }
    for (CompletableFuture<JsonObject> ack : acks) {
      assertThat(ChatClient.get(ack).getString("type")).isEqualTo("message.ack");
    }
  }

  private ChatClient back(int node) {
    return ChatClient.hello(nodes.vertx(), nodes.port(node), bob.token());
  }

  private static JsonObject only(JsonObject resumed) {
    assertThat(resumed.getString("type")).as("%s", resumed).isEqualTo("resumed");
    assertThat(resumed.getJsonArray("rooms")).hasSize(1);
    return resumed.getJsonArray("rooms").getJsonObject(0);
  }

  private static void assertRevs(ChatClient client, String room, long first, long last) {
    client.awaitRev(room, last);
    assertThat(client.events(room))
        .extracting(event -> event.getLong("rev"))
        .isEqualTo(LongStream.rangeClosed(first, last).boxed().toList());
  }

  @Test
  void oneWhoMissedNothingGetsOnlyWhatComesNext() {
    String room = room();
    say(room, 3);
    ChatClient client = back(0);
    JsonObject resumed = only(client.resume(true, ChatClient.point(room, 1, 5)));
    assertThat(resumed.getBoolean("recovered")).isTrue();
    assertThat(resumed.getLong("rev")).isEqualTo(5);
    say(room, 1);
    assertRevs(client, room, 6, 6);
  }

  @Test
  void whatIsAnsweredIsNotKept() {
    String room = room();
    ChatClient client = back(0);
    only(client.resume(true, ChatClient.point(room, 1, 2)));
    await().untilAsserted(() -> assertThat(LiveHeap.instances(RoomPoint.class)).isZero());
    say(room, 1);
    assertRevs(client, room, 3, 3);
  }

  @Test
  void aPositionAheadOfTheServerIsNotRecovered() {
    String room = room();
    ChatClient client = back(0);
    JsonObject resumed = only(client.resume(true, ChatClient.point(room, 1, 99)));
    assertThat(resumed.getBoolean("recovered")).isFalse();
    assertThat(resumed.getLong("rev")).isEqualTo(2);
    say(room, 1);
    assertRevs(client, room, 3, 3);
  }

  @Test
  void anotherEpochIsNotRecovered() {
    String room = room();
    say(room, 2);
    ChatClient client = back(0);
    JsonObject resumed = only(client.resume(true, ChatClient.point(room, 2, 3)));
    assertThat(resumed.getBoolean("recovered")).isFalse();
    assertThat(resumed.getLong("epoch")).isEqualTo(1);
    say(room, 1);
    assertRevs(client, room, 5, 5);
  }

  @Test
  void aGapAsLargeAsTheLimitIsRecoveredAndALargerOneIsNot() {
    String full = room();
    String over = room();
    say(full, 10);
    say(over, 11);
    ChatClient client = back(SMALL);
    assertThat(only(client.resume(false, ChatClient.point(full, 1, 2))).getBoolean("recovered"))
        .isTrue();
    assertRevs(client, full, 3, 12);
    JsonObject refused = only(client.resume(true, ChatClient.point(over, 1, 2)));
    assertThat(refused.getBoolean("recovered")).isFalse();
    assertThat(refused.getLong("rev")).isEqualTo(13);
    say(over, 1);
    assertRevs(client, over, 14, 14);
  }

  @Test
  void theRoomsOfASessionShareALimit() {
    String first = room();
    String second = room();
    String third = room();
    say(first, 8);
    say(second, 8);
    say(third, 7);
    ChatClient client = back(SMALL);
    JsonObject resumed =
        client.resume(
            true,
            ChatClient.point(first, 1, 2),
            ChatClient.point(second, 1, 2),
            ChatClient.point(third, 1, 2));
    assertThat(resumed.getJsonArray("rooms").stream())
        .extracting(room -> ((JsonObject) room).getBoolean("recovered"))
        .containsExactly(true, false, true);
    assertRevs(client, first, 3, 10);
    assertRevs(client, third, 3, 9);
    assertThat(client.events(second)).isEmpty();
  }

  @Test
  void theLimitOfASessionHoldsOverAllItsResumes() {
    String first = room();
    String second = room();
    say(first, 8);
    say(second, 8);
    ChatClient client = back(SMALL);
    assertThat(only(client.resume(false, ChatClient.point(first, 1, 2))).getBoolean("recovered"))
        .isTrue();
    assertThat(only(client.resume(true, ChatClient.point(second, 1, 2))).getBoolean("recovered"))
        .isFalse();
  }

  @Test
  void aRoomThatDoesNotExistOrIsNotTheirsIsGone() {
    String secret =
        alice
            .at(nodes.port(0))
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "secret"))
            .getString("room_id");
    String unknown = new RoomId(1).toString();
    JsonObject resumed =
        back(0)
            .resume(
                true,
                ChatClient.point(unknown, 1, 1),
                ChatClient.point("nonsense", 1, 1),
                ChatClient.point(secret, 1, 0));
    assertThat(resumed.getJsonArray("rooms").stream().map(JsonObject.class::cast))
        .containsExactly(gone(unknown), gone("nonsense"), gone(secret));
  }

  private static JsonObject gone(String room) {
    return new JsonObject().put("room_id", room).put("gone", true);
  }

  @Test
  void oneWhoWasRemovedWhileAwayFindsTheRoomGoneAndHearsNothingOfIt() {
    String room = room();
    alice.at(nodes.port(0)).ok("DELETE", member(room), null);
    say(room, 2);
    ChatClient client = back(0);
    assertThat(only(client.resume(true, ChatClient.point(room, 1, 2)))).isEqualTo(gone(room));
    String other = room();
    client.awaitFrame("room.added");
    say(room, 1);
    say(other, 1);
    client.awaitRev(other, 3);
    assertThat(client.events(room)).isEmpty();
  }

  @Test
  void oneWhoIsRemovedBetweenWelcomeAndResumeHearsNothingAfterIt() {
    String room = room();
    ChatClient client = back(0);
    alice.at(nodes.port(0)).ok("DELETE", member(room), null);
    say(room, 2);
    client.resume(true);
    assertThat(client.awaitFrame("room.removed").getString("room_id")).isEqualTo(room);
    assertThat(client.bodies(room)).isEmpty();
  }

  private String member(String room) {
    return "/v1/rooms/" + room + "/members/" + bob.accountId();
  }

  @Test
  void aRoomNamedTwiceIsRefusedAndNothingIsOpened() {
    String room = room();
    ChatClient client = back(0);
    JsonObject refused =
        client.resume(true, ChatClient.point(room, 1, 1), ChatClient.point(room, 1, 2));
    assertThat(refused.getString("code")).isEqualTo("invalid_field");
    assertThat(refused.getString("field")).startsWith("rooms");
    assertThat(only(client.resume(true, ChatClient.point(room, 1, 1))).getBoolean("recovered"))
        .isTrue();
    assertRevs(client, room, 2, 2);
  }

  @Test
  void aLiveRoomMayNotBeNamedAgain() {
    String room = room();
    ChatClient client = back(0);
    client.resume(true);
    JsonObject refused = client.resume(true, ChatClient.point(room, 1, 1));
    assertThat(refused.getString("code")).isEqualTo("conflict");
    say(room, 1);
    assertRevs(client, room, 3, 3);
  }

  @Test
  void roomsNotNamedAreLiveFromWhereWelcomeSaysTheyStand() {
    String named = room();
    String unnamed = room();
    ChatClient client = back(0);
    say(named, 2);
    say(unnamed, 2);
    client.resume(false, ChatClient.point(named, 1, 1));
    assertRevs(client, named, 2, 4);
    assertThat(client.events(unnamed)).isEmpty();
    client.resume(true);
    assertRevs(client, unnamed, 3, 4);
  }

  @Test
  void fiftyRoomsComeBackInSeveralResumes() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(room());
    }
    all.forEach(room -> say(room, 3));
    ChatClient client = back(0);
    for (int from = 0; from < 50; from += 20) {
      List<String> part = all.subList(from, Math.min(from + 20, 50));
      JsonObject resumed =
          client.resume(
              from == 40,
              part.stream().map(r -> ChatClient.point(r, 1, 1)).toArray(JsonObject[]::new));
      assertThat(resumed.getJsonArray("rooms")).hasSize(part.size());
    }
    all.forEach(room -> say(room, 1));
    all.forEach(room -> assertRevs(client, room, 2, 6));
  }

  /// A message that is stored while a stream opens is neither missed nor doubled.
  @RepeatedTest(8)
  void whatIsSaidDuringTheResumeComesOnceAndInOrder() {
    String room = room();
    say(room, 250);
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      acks.add(speaker.send(room, room + i, "during " + i));
    }
    ChatClient client = back(0);
    JsonObject resumed = only(client.resume(true, ChatClient.point(room, 1, 2)));
    assertThat(resumed.getBoolean("recovered")).isTrue();
    for (int i = 200; i < 400; i++) {
      acks.add(speaker.send(room, room + i, "during " + i));
    }
    acks.forEach(ChatClient::get);
    assertRevs(client, room, 3, 652);
    assertThat(client.bodies(room)).startsWith("message 0").endsWith("during 399");
    client.cut();
  }
}
