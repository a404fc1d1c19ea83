package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Messages are edited and deleted in rooms whose people are on two nodes. Alice owns the
/// rooms.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EditIT {
  private Nodes nodes;
  private Person alice;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// A channel of both, which stands at rev 2.
  private String sharedChannel(String name) {
    String room = alice.at(nodes.port(0)).channel(name);
    bob.at(nodes.port(1)).join(room);
    return room;
  }

  private ChatClient alice() {
    return ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
  }

  private ChatClient bob() {
    return ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
  }

  private static String message(String room, long seq) {
    return "/v1/rooms/" + room + "/messages/" + seq;
  }

  private static JsonObject edit(String clientId, String body) {
    return new JsonObject().put("client_id", clientId).put("body", body);
  }

  @Test
  void anEditAndADeletionAreHeardOnBothNodes() {
    String room = sharedChannel("heard");
    ChatClient a = alice();
    ChatClient b = bob();
    ChatClient.get(b.send(room, "h1", "helo"));
    JsonObject edited = ChatClient.get(b.edit(room, 1, "h2", "hello"));
    assertThat(edited.getString("type")).isEqualTo("ok");
    assertThat(edited.getLong("rev")).isEqualTo(4);
    List.of(a, b).forEach(client -> client.awaitRev(room, 4)); // what is read later has no words
    JsonObject deleted = ChatClient.get(a.delete(room, 1));
    assertThat(deleted.getLong("rev")).isEqualTo(5);
    for (ChatClient client : List.of(a, b)) {
      client.awaitRev(room, 5);
      List<JsonObject> events = client.events(room);
      assertThat(events).extracting(e -> e.getLong("rev")).containsExactly(3L, 4L, 5L);
      JsonObject edit = events.get(1);
      assertThat(edit.getString("kind")).isEqualTo("message.edited");
      assertThat(edit.getString("actor_id")).isEqualTo(bob.accountId());
      JsonObject message = edit.getJsonObject("message");
      assertThat(message.getString("body")).isEqualTo("hello");
      assertThat(message.getLong("seq")).isEqualTo(1);
      assertThat(message.getLong("rev")).isEqualTo(3);
      assertThat(message.getLong("changed_rev")).isEqualTo(4);
      assertThat(message.getLong("edited_at")).isEqualTo(edit.getLong("ts"));
      JsonObject deletion = events.get(2);
      assertThat(deletion.getString("kind")).isEqualTo("message.deleted");
      assertThat(deletion.getLong("seq")).isEqualTo(1);
      assertThat(deletion.getString("deleted_by")).isEqualTo(alice.accountId());
    }
  }

  @Test
  void whatIsAskedForOneRoomHappensAndIsAnsweredInOrder() {
    String room = sharedChannel("pipeline");
    ChatClient a = alice();
    List<CompletableFuture<JsonObject>> answers =
        List.of(
            a.send(room, "p1", "one"),
            a.edit(room, 1, "p2", "uno"),
            a.send(room, "p3", "two"),
            a.delete(room, 1),
            a.edit(room, 2, "p4", "due"),
            a.delete(room, 1),
            a.send(room, "p5", "three"));
    answers.forEach(ChatClient::get);
    List<String> came =
        a.frames().stream()
            .filter(f -> List.of("ok", "message.ack", "error").contains(f.getString("type")))
            .map(f -> f.getString("type") + " " + f.getValue("rev", f.getValue("code")))
            .toList();
    assertThat(came)
        .containsExactly(
            "message.ack 3",
            "ok 4",
            "message.ack 5",
            "ok 6",
            "ok 7",
            "error gone",
            "message.ack 8");
  }

  @Test
  void oldStateAndTheEventsSinceAreTheFreshState() {
    String room = sharedChannel("state");
    ChatClient a = alice();
    ChatClient b = bob();
    for (int i = 1; i <= 6; i++) {
      ChatClient.get(b.send(room, "s" + i, "words " + i));
    }
    ChatClient.get(b.edit(room, 1, "s7", "edited once"));
    ChatClient.get(b.edit(room, 2, "s8", "edited then deleted"));
    ChatClient.get(b.edit(room, 1, "s9", "edited twice"));
    ChatClient.get(a.delete(room, 2));
    ChatClient.get(b.delete(room, 3));
    ChatClient.get(b.send(room, "s10", "last"));
    long end = ChatClient.get(b.edit(room, 7, "s11", "the very last")).getLong("rev");
    a.awaitRev(room, end);
    SortedMap<Long, JsonObject> fresh = history(room);
    assertThat(state(new TreeMap<>(), a.events(room))).isEqualTo(fresh);
    for (long have = 0; have <= end; have += 3) {
      long rev = have;
      SortedMap<Long, JsonObject> old =
          state(
              new TreeMap<>(),
              a.events(room).stream().filter(e -> e.getLong("rev") <= rev).toList());
      for (int node = 0; node < 2; node++) {
        ChatClient back = ChatClient.hello(nodes.vertx(), nodes.port(node), bob.token());
        back.resume(true, ChatClient.point(room, 1, have));
        if (have < end) {
          back.awaitRev(room, end);
        }
        assertThat(state(new TreeMap<>(old), back.events(room)))
            .as("from rev %d on node %d", have, node)
            .isEqualTo(fresh);
      }
    }
  }

  /// What a client makes of the events: messages by seq. What is older than what it has changes
  /// nothing.
  private static SortedMap<Long, JsonObject> state(
      SortedMap<Long, JsonObject> messages, List<JsonObject> events) {
    for (JsonObject event : events) {
      switch (event.getString("kind", "message.receive")) {
        case "message.receive" -> {
          JsonObject message = event.copy();
          message.remove("type");
          message.remove("epoch");
          messages.put(message.getLong("seq"), message);
        }
        case "message.edited" -> {
          JsonObject message = event.getJsonObject("message");
          messages.merge(message.getLong("seq"), message, EditIT::newer);
        }
        case "message.deleted" ->
            messages.computeIfPresent(
                event.getLong("seq"), (_, message) -> newer(message, tombstone(message, event)));
        default -> {} // members
      }
    }
    return messages;
  }

  private static JsonObject newer(JsonObject one, JsonObject other) {
    return other.getLong("changed_rev", 0L) >= one.getLong("changed_rev", 0L) ? other : one;
  }

  private static JsonObject tombstone(JsonObject message, JsonObject event) {
    JsonObject tombstone = message.copy();
    List.of("body", "topic", "reply_to", "edited_at").forEach(tombstone::remove);
    return tombstone
        .put("changed_rev", event.getLong("rev"))
        .put("deleted_at", event.getLong("ts"))
        .put("deleted_by", event.getString("deleted_by"));
  }

  private SortedMap<Long, JsonObject> history(String room) {
    return bob
        .at(nodes.port(1))
        .ok("GET", "/v1/rooms/" + room + "/messages", null)
        .getJsonArray("messages")
        .stream()
        .map(JsonObject.class::cast)
        .collect(Collectors.toMap(m -> m.getLong("seq"), m -> m, (one, _) -> one, TreeMap::new));
  }

  @Test
  void ofADeletedMessageNoWordIsLeft() {
    String room = sharedChannel("tombstone");
    ChatClient b = bob();
    ChatClient.get(b.send(room, "t1", "xyzzy one"));
    ChatClient.get(b.edit(room, 1, "t2", "xyzzy two"));
    ChatClient.get(b.edit(room, 1, "t3", "xyzzy three"));
    ChatClient.get(b.send(room, "t4", "another"));
    Answer deleted = alice.at(nodes.port(0)).call("DELETE", message(room, 1), null);
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.body().getString("deleted_by")).isEqualTo(alice.accountId());
    assertThat(deleted.body().getLong("deleted_at")).isPositive();
    assertThat(deleted.body().fieldNames()).doesNotContain("body", "edited_at");
    JsonObject inHistory = history(room).get(1L);
    assertThat(inHistory).isEqualTo(deleted.body());
    assertThat(alice.at(nodes.port(0)).call("GET", message(room, 1) + "/versions", null).code())
        .isEqualTo("gone");
    long id = RoomId.parse(room).value();
    assertThat(
            nodes
                .database()
                .count(
                    """
                    SELECT (SELECT count(*) FROM message m WHERE room_id = %1$d AND m::text LIKE '%%xyzzy%%')
                         + (SELECT count(*) FROM message_version v WHERE room_id = %1$d)
                         + (SELECT count(*) FROM room_change c WHERE room_id = %1$d AND c::text LIKE '%%xyzzy%%')\
                    """
                        .formatted(id)))
        .isZero();
    b.awaitRev(room, 7);
    for (int node = 0; node < 2; node++) {
      ChatClient back = ChatClient.hello(nodes.vertx(), nodes.port(node), alice.token());
      back.resume(true, ChatClient.point(room, 1, 2));
      back.awaitRev(room, 7);
      assertThat(back.frames()).noneMatch(frame -> frame.encode().contains("xyzzy"));
      assertThat(back.events(room)).hasSize(5);
    }
  }

  @Test
  void aRetryOfAnEditOverAnotherNodeGetsTheSameRev() {
    String room = sharedChannel("retry");
    ChatClient here = alice();
    ChatClient there =
        ChatClient.live(nodes.vertx(), nodes.port(1), alice.onAnotherDevice(nodes.port(1)).token());
    ChatClient.get(here.send(room, "r1", "one"));
    long rev = ChatClient.get(here.edit(room, 1, "r2", "two")).getLong("rev");
    ChatClient.get(here.edit(room, 1, "r3", "three"));
    assertThat(ChatClient.get(there.edit(room, 1, "r2", "two")).getLong("rev")).isEqualTo(rev);
    JsonObject other = ChatClient.get(there.edit(room, 1, "r2", "four"));
    assertThat(other.getString("code")).isEqualTo("idempotency_mismatch");
    assertThat(other.getString("client_id")).isEqualTo("r2");
    assertThat(ChatClient.get(there.send(room, "r2", "two")).getString("code"))
        .isEqualTo("idempotency_mismatch");
    assertThat(ChatClient.get(there.edit(room, 1, "r1", "one")).getString("code"))
        .isEqualTo("idempotency_mismatch");
    Answer overHttp = alice.at(nodes.port(1)).call("PATCH", message(room, 1), edit("r2", "two"));
    assertThat(overHttp.status()).isEqualTo(200);
    assertThat(overHttp.body().getString("body")).isEqualTo("three");
    JsonObject again = ChatClient.get(there.send(room, "r1", "one"));
    assertThat(again.getBoolean("duplicate")).isTrue();
    assertThat(again.getLong("seq")).isEqualTo(1);
    assertThat(again.getLong("rev")).isEqualTo(3);
    here.awaitRev(room, 5);
    assertThat(here.events(room)).hasSize(3);
  }

  @Test
  void formerVersionsCanBeRead() {
    String room = sharedChannel("versions");
    ChatClient b = bob();
    JsonObject ack = ChatClient.get(b.send(room, "v1", "one"));
    Answer edited = bob.at(nodes.port(1)).call("PATCH", message(room, 1), edit("v2", "two"));
    assertThat(edited.status()).isEqualTo(200);
    List<JsonObject> versions =
        alice
            .at(nodes.port(0))
            .ok("GET", message(room, 1) + "/versions", null)
            .getJsonArray("versions")
            .stream()
            .map(JsonObject.class::cast)
            .toList();
    assertThat(versions)
        .containsExactly(
            new JsonObject().put("body", "one").put("ts", ack.getLong("ts")),
            new JsonObject().put("body", "two").put("ts", edited.body().getLong("edited_at")));
  }

  @Test
  void whoMayNotIsToldWhy() {
    String room = sharedChannel("refused");
    ChatClient a = alice();
    ChatClient b = bob();
    ChatClient.get(a.send(room, "n1", "mine"));
    JsonObject notYours = ChatClient.get(b.edit(room, 1, "n2", "yours"));
    assertThat(notYours.getString("code")).isEqualTo("forbidden");
    assertThat(notYours.getString("client_id")).isEqualTo("n2");
    assertThat(ChatClient.get(b.delete(room, 1)).getString("code")).isEqualTo("forbidden");
    assertThat(ChatClient.get(b.delete(room, 9)).getString("code")).isEqualTo("not_found");
    assertThat(ChatClient.get(b.delete("nowhere", 1)).getString("code")).isEqualTo("not_found");
    ChatClient.get(a.delete(room, 1));
    assertThat(ChatClient.get(a.delete(room, 1)).getString("code")).isEqualTo("gone");
    assertThat(ChatClient.get(a.edit(room, 1, "n3", "back")).getString("code")).isEqualTo("gone");
    assertThat(alice.at(nodes.port(1)).call("DELETE", message(room, 1), null).status())
        .isEqualTo(410);
    ChatClient.get(a.send(room, "n4", "the end"));
    nodes
        .database()
        .execute(
            "UPDATE room_position SET archived = true WHERE room_id = "
                + RoomId.parse(room).value());
    assertThat(ChatClient.get(a.edit(room, 2, "n5", "no end")).getString("code"))
        .isEqualTo("conflict");
    assertThat(ChatClient.get(a.delete(room, 2)).getString("code")).isEqualTo("conflict");
  }
}
