package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.AccountId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What owners do with a room, as open sockets on two nodes see it: of those whom it concerns
/// and of the others.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomEffectsIT {
  private static final Duration OFTEN = Duration.ofMillis(10);
  private static final long LATER = 4_000_000_000_000L;
  private static final long CROWD_FROM = 1_000_000;
  private static final int CROWD = 203;

  private Nodes nodes;
  private Person ann;
  private Person bob;
  private Person cyd;
  private ChatClient hers;
  private ChatClient his;
  private ChatClient other;
  private int rooms;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    cyd = ApiClient.person(nodes.port(0), "cyd", "Cyd");
    hers = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    his = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    other = ChatClient.live(nodes.vertx(), nodes.port(1), cyd.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private JsonObject byAnn(String method, String path, JsonObject body) {
    return ann.at(nodes.port(0)).ok(method, path, body.isEmpty() ? null : body);
  }

  private static JsonObject nothing() {
    return new JsonObject();
  }

  /// A channel that all three sockets follow.
  private String room() {
    String room =
        byAnn(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "channel")
                    .put("name", "effects " + ++rooms)
                    .put("members", new JsonArray().add(bob.accountId()).add(cyd.accountId())))
            .getString("room_id");
    for (ChatClient client : List.of(hers, his, other)) {
      awaitTold(client, "room.added", room);
    }
    return room;
  }

  private static Stream<JsonObject> told(ChatClient client, String type, String room) {
    return client.frames(type).stream()
        .filter(frame -> room.equals(frame.getJsonObject("room", frame).getString("room_id")));
  }

  private static JsonObject awaitTold(ChatClient client, String type, String room) {
    await().pollInterval(OFTEN).until(() -> told(client, type, room).findAny().isPresent());
    return told(client, type, room).toList().getLast();
  }

  /// The newest event of the room, once it is of this kind.
  private static JsonObject awaitKind(ChatClient client, String room, String kind) {
    await()
        .pollInterval(OFTEN)
        .until(() -> client.events(room).stream().anyMatch(e -> kind.equals(e.getString("kind"))));
    return client.events(room).stream()
        .filter(event -> kind.equals(event.getString("kind")))
        .toList()
        .getLast();
  }

  private JsonObject say(ChatClient client, String room, String words) {
    return ChatClient.get(client.send(room, room + words, words));
  }

  private Answer join(Person person, String room) {
    return person.at(nodes.port(1)).call("POST", "/v1/rooms/" + room + "/join", null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"removed", "banned"})
  void whoIsPutOutHearsSoAndNothingMoreWhileTheOthersGoOn(String reason) {
    String room = room();
    String path = "/v1/rooms/" + room;
    boolean ban = reason.equals("banned");
    byAnn(
        ban ? "PUT" : "DELETE", path + (ban ? "/bans/" : "/members/") + bob.accountId(), nothing());
    assertThat(awaitTold(his, "room.removed", room).getString("reason")).isEqualTo(reason);
    for (ChatClient client : List.of(hers, other)) {
      JsonObject left = awaitKind(client, room, "member.left");
      assertThat(left.getString("account_id")).isEqualTo(bob.accountId());
      assertThat(left.getString("actor_id")).isEqualTo(ann.accountId());
      assertThat(left.getString("reason")).isEqualTo(reason);
    }
    long rev = say(hers, room, "without him").getLong("rev");
    other.awaitRev(room, rev);
    assertThat(his.events(room)).isEmpty();
    JsonObject refused = say(his, room, "but");
    assertThat(refused.getString("code")).isEqualTo(ban ? "not_found" : "forbidden");
    if (ban) {
      assertThat(join(bob, room).code()).isEqualTo("banned");
      byAnn("DELETE", path + "/bans/" + bob.accountId(), nothing());
    }
    assertThat(join(bob, room).status()).isEqualTo(200);
    await().until(() -> told(his, "room.added", room).count() == 2);
    his.awaitRev(room, say(hers, room, "with him").getLong("rev"));
    assertThat(his.bodies(room)).containsExactly("with him");
  }

  @Test
  void aMuteIsToldToAllWithItsEndAndTakenBackWithoutOne() {
    String room = room();
    String mute = "/v1/rooms/" + room + "/mutes/" + bob.accountId();
    byAnn("PUT", mute, new JsonObject().put("until", LATER));
    for (ChatClient client : List.of(hers, his, other)) {
      JsonObject muted = awaitKind(client, room, "member.muted");
      assertThat(muted.getString("account_id")).isEqualTo(bob.accountId());
      assertThat(muted.getLong("until")).isEqualTo(LATER);
    }
    JsonObject refused = say(his, room, "but");
    assertThat(refused.getString("code")).isEqualTo("muted");
    assertThat(refused.getLong("retry_after_ms")).isPositive();
    his.awaitRev(room, say(hers, room, "he hears").getLong("rev"));
    byAnn("DELETE", mute, nothing());
    for (ChatClient client : List.of(hers, his, other)) {
      await().until(() -> !awaitKind(client, room, "member.muted").containsKey("until"));
    }
    assertThat(say(his, room, "but").getString("type")).isEqualTo("message.ack");
  }

  @Test
  void anArchivedRoomIsToldToAllAndTakesNothingMore() {
    String room = room();
    long seq = say(his, room, "words").getLong("seq");
    byAnn("DELETE", "/v1/rooms/" + room, nothing());
    for (ChatClient client : List.of(hers, his, other)) {
      assertThat(awaitKind(client, room, "room.archived").getString("actor_id"))
          .isEqualTo(ann.accountId());
    }
    for (JsonObject refused :
        List.of(
            say(hers, room, "more"),
            say(his, room, "more of his"),
            ChatClient.get(his.edit(room, seq, room + "edit", "other words")),
            ChatClient.get(his.delete(room, seq)))) {
      assertThat(refused.getString("code")).isEqualTo("conflict");
    }
    assertThat(
            bob.at(nodes.port(1))
                .ok("GET", "/v1/rooms/" + room + "/messages", null)
                .getJsonArray("messages"))
        .hasSize(1);
    assertThat(told(his, "room.removed", room)).isEmpty();
  }

  @Test
  void aChangedHistoryActsOnWhoJoinsLaterAndNotOnThoseWhoAreThere() {
    String room = room();
    String path = "/v1/rooms/" + room;
    say(hers, room, "before");
    byAnn("PATCH", path, new JsonObject().put("history", "since_join"));
    assertThat(awaitKind(his, room, "room.changed").getJsonObject("settings"))
        .isEqualTo(new JsonObject().put("history", "since_join"));
    byAnn("DELETE", path + "/members/" + cyd.accountId(), nothing());
    awaitTold(other, "room.removed", room);
    his.awaitRev(room, say(hers, room, "meanwhile").getLong("rev"));
    assertThat(join(cyd, room).status()).isEqualTo(200);
    await().until(() -> told(other, "room.added", room).count() == 2);
    long rev = say(hers, room, "after").getLong("rev");
    other.awaitRev(room, rev);
    his.awaitRev(room, rev);
    assertThat(other.bodies(room)).containsExactly("before", "after");
    assertThat(his.bodies(room)).containsExactly("before", "meanwhile", "after");

    ChatClient anew =
        ChatClient.hello(nodes.vertx(), nodes.port(0), cyd.onAnotherDevice(nodes.port(0)).token());
    anew.resume(true, ChatClient.point(room, 1, 0));
    anew.awaitRev(room, rev);
    assertThat(anew.bodies(room)).containsExactly("before", "after");
    assertThat(anew.events(room).stream().map(event -> event.getLong("rev")))
        .isEqualTo(LongStream.rangeClosed(1, rev).boxed().toList());
    anew.cut();
  }

  @Test
  void inABigRoomOthersHearNumbersAndThoseThemselvesHearAsEver() {
    nodes
        .database()
        .execute(
            "INSERT INTO account SELECT g, 'crowd' || g, 'C' FROM generate_series(%d, %d) g"
                .formatted(CROWD_FROM, CROWD_FROM + CROWD - 1));
    JsonArray crowd = new JsonArray().add(cyd.accountId());
    LongStream.range(CROWD_FROM, CROWD_FROM + CROWD)
        .forEach(id -> crowd.add(new AccountId(id).toString()));
    JsonObject made =
        byAnn(
            "POST",
            "/v1/rooms",
            new JsonObject().put("type", "channel").put("name", "big").put("members", crowd));
    String room = made.getString("room_id");
    assertThat(made.getInteger("member_count")).isEqualTo(CROWD + 2);
    awaitTold(hers, "room.added", room);
    awaitTold(other, "room.added", room);
    assertThat(join(bob, room).status()).isEqualTo(200);
    awaitTold(his, "room.added", room);
    assertCounted(room, 1, 0);
    byAnn("DELETE", "/v1/rooms/" + room + "/members/" + bob.accountId(), nothing());
    assertThat(awaitTold(his, "room.removed", room).getString("reason")).isEqualTo("removed");
    assertCounted(room, 0, 1);
    other.awaitRev(room, say(hers, room, "many").getLong("rev"));
    assertThat(his.events(room)).isEmpty();
    assertThat(other.events(room)).noneMatch(e -> e.getString("kind", "").startsWith("member."));
  }

  private void assertCounted(String room, int joined, int left) {
    for (ChatClient client : List.of(hers, other)) {
      await()
          .pollInterval(OFTEN)
          .until(() -> awaitKind(client, room, "members").getInteger("left") == left);
      JsonObject members = awaitKind(client, room, "members");
      assertThat(members.getInteger("joined")).isEqualTo(joined);
      assertThat(members.getLong("rev_from")).isEqualTo(members.getLong("rev"));
      assertThat(members.containsKey("account_id")).isFalse();
    }
  }

  @Test
  void aDirectRoomThatBothMakeAtOnceOnTwoNodesExistsOnce() {
    for (int i = 0; i < 10; i++) {
      Person dan = ApiClient.person(nodes.port(0), "dan" + i, "Dan");
      Person eve = ApiClient.person(nodes.port(0), "eve" + i, "Eve");
      var his = CompletableFuture.supplyAsync(() -> direct(dan, eve, 0));
      var hers = CompletableFuture.supplyAsync(() -> direct(eve, dan, 1));
      List<Answer> answers = List.of(ChatClient.get(his), ChatClient.get(hers));
      assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(201, 200);
      assertThat(answers)
          .extracting(answer -> answer.body().getString("room_id"))
          .containsOnly(answers.getFirst().body().getString("room_id"));
      for (Person person : List.of(dan, eve)) {
        assertThat(person.at(nodes.port(0)).ok("GET", "/v1/rooms", null).getJsonArray("rooms"))
            .hasSize(1);
      }
    }
  }

  private Answer direct(Person from, Person to, int node) {
    return from.at(nodes.port(node))
        .call(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "direct")
                .put("members", new JsonArray().add(to.accountId())));
  }
}
