package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A client id gives at most one message, whoever tries how often, when and where.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotencyIT {
  private static final int DEVICES = 50;

  private final List<ChatClient> devices = new ArrayList<>();
  private Nodes nodes;
  private Person alice;
  private Person bob;

  /// One account on 50 devices, half of them on each node.
  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    devices.add(ChatClient.live(nodes.vertx(), nodes.port(0), alice.token()));
    for (int i = 1; i < DEVICES; i++) {
      Person device = ApiClient.signIn(nodes.port(0), "alice", "d" + i);
      devices.add(ChatClient.live(nodes.vertx(), nodes.port(i % 2), device.token()));
    }
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private String room(String name) {
    String room = alice.at(nodes.port(0)).channel(name);
    bob.at(nodes.port(1)).join(room);
    devices.forEach(device -> awaitAdded(device, room));
    return room;
  }

  private static void awaitAdded(ChatClient device, String room) {
    await()
        .until(
            () ->
                device.frames("room.added").stream()
                    .map(added -> added.getJsonObject("room").getString("room_id"))
                    .anyMatch(room::equals));
  }

  private List<JsonObject> fromAllAtOnce(String room, String clientId, IntFunction<String> body) {
    List<CompletableFuture<JsonObject>> answers =
        IntStream.range(0, DEVICES)
            .mapToObj(i -> devices.get(i).send(room, clientId, body.apply(i)))
            .toList();
    return answers.stream().map(ChatClient::get).toList();
  }

  private long stored(String room) {
    long id = RoomId.parse(room).value();
    return nodes.database().count("SELECT count(*) FROM message WHERE room_id = " + id);
  }

  @Test
  void theSameMessageFromFiftyConnectionsAtOnceIsStoredOnce() {
    String room = room("fifty");
    List<JsonObject> acks = fromAllAtOnce(room, "same", _ -> "once");
    assertThat(acks).allMatch(ack -> "message.ack".equals(ack.getString("type")));
    assertThat(acks).extracting(ack -> ack.getLong("seq")).containsOnly(1L);
    assertThat(acks).extracting(ack -> ack.getLong("rev")).containsOnly(3L);
    assertThat(acks).extracting(ack -> ack.getLong("ts")).containsOnly(acks.get(0).getLong("ts"));
    assertThat(acks.stream().filter(ack -> ack.getBoolean("duplicate", false))).hasSize(49);
    assertThat(stored(room)).isEqualTo(1);
    ChatClient.get(devices.get(7).send(room, "fence", "end"));
    devices.forEach(device -> device.awaitRev(room, 4));
    assertThat(devices).allMatch(d -> d.bodies(room).equals(List.of("once", "end")));
  }

  @Test
  void ofDifferentMessagesWithOneClientIdAtOnceOneIsStoredAndTheOthersAreMismatches() {
    String room = room("fight");
    List<JsonObject> answers = fromAllAtOnce(room, "fight", i -> "mine " + i);
    List<JsonObject> acks =
        answers.stream().filter(a -> "message.ack".equals(a.getString("type"))).toList();
    assertThat(acks).singleElement().matches(ack -> !ack.containsKey("duplicate"));
    assertThat(answers.stream().filter(a -> "idempotency_mismatch".equals(a.getString("code"))))
        .hasSize(DEVICES - 1)
        .allMatch(error -> "fight".equals(error.getString("client_id")))
        .noneMatch(error -> error.getBoolean("retryable"));
    assertThat(stored(room)).isEqualTo(1);
  }

  @Test
  void aClientIdThatWasUsedInAnotherRoomOrForAnotherBodyIsAMismatch() {
    String room = room("here");
    String other = room("there");
    ChatClient device = devices.getFirst();
    ChatClient.get(device.send(room, "used", "hello"));
    ChatClient elsewhere = devices.get(1);
    for (JsonObject answer :
        List.of(
            ChatClient.get(elsewhere.send(other, "used", "hello")),
            ChatClient.get(elsewhere.send(room, "used", "hello!")),
            ChatClient.get(
                elsewhere.request(
                    new JsonObject()
                        .put("type", "message.send")
                        .put("room_id", room)
                        .put("client_id", "used")
                        .put("body", "hello")
                        .put("topic", "greetings"))))) {
      assertThat(answer.getString("code")).isEqualTo("idempotency_mismatch");
    }
    assertThat(stored(room)).isEqualTo(1);
    assertThat(stored(other)).isZero();
  }

  @Test
  void aClientIdOfAnotherSenderIsAnother() {
    String room = room("two");
    JsonObject message = new JsonObject().put("client_id", "shared").put("body", "mine");
    String path = "/v1/rooms/" + room + "/messages";
    assertThat(alice.at(nodes.port(0)).call("POST", path, message).status()).isEqualTo(201);
    assertThat(bob.at(nodes.port(1)).call("POST", path, message).status()).isEqualTo(201);
    assertThat(stored(room)).isEqualTo(2);
  }

  @Test
  void aRetryOverHttpOfWhatTheSocketSentIsADuplicate() {
    String room = room("http");
    JsonObject ack = ChatClient.get(devices.getFirst().send(room, "both-ways", "hello"));
    JsonObject message = new JsonObject().put("client_id", "both-ways").put("body", "hello");
    Answer again = alice.at(nodes.port(1)).call("POST", "/v1/rooms/" + room + "/messages", message);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body().getBoolean("duplicate")).isTrue();
    assertThat(again.body().getLong("seq")).isEqualTo(ack.getLong("seq"));
  }

  @Test
  void aRetryAfterTheSenderLeftIsStillADuplicate() {
    String room = room("left");
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), bob.token());
    JsonObject ack = ChatClient.get(client.send(room, "last-word", "bye"));
    bob.at(nodes.port(1)).ok("DELETE", "/v1/rooms/" + room + "/members/me", null);
    client.awaitFrame("room.removed");
    JsonObject again = ChatClient.get(client.send(room, "last-word", "bye"));
    assertThat(again.getString("type")).isEqualTo("message.ack");
    assertThat(again.getBoolean("duplicate")).isTrue();
    assertThat(again.getLong("seq")).isEqualTo(ack.getLong("seq"));
    assertThat(ChatClient.get(client.send(room, "last-word", "bye!")).getString("code"))
        .isEqualTo("idempotency_mismatch");
    assertThat(ChatClient.get(client.send(room, "one-more", "hello?")).getString("code"))
        .isEqualTo("forbidden");
    client.cut();
  }
}
