package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// People on two nodes talk in a room.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TalkIT {
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

  private String sharedChannel(String name) {
    String room = alice.at(nodes.port(0)).channel(name);
    bob.at(nodes.port(1)).join(room);
    return room;
  }

  @Test
  void whatOneSaysOnOneNodeEverybodyHearsOnBoth() {
    String room = sharedChannel("both");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    JsonObject ack = ChatClient.get(a.send(room, "c1", "hello"));
    assertThat(ack.getString("type")).isEqualTo("message.ack");
    assertThat(ack.getString("status")).isEqualTo("sent");
    ChatClient.get(b.send(room, "c2", "hi"));
    a.awaitRev(room, 4);
    b.awaitRev(room, 4);
    assertThat(a.bodies(room)).containsExactly("hello", "hi");
    assertThat(b.bodies(room)).containsExactly("hello", "hi");
    assertThat(b.events(room).getFirst().getLong("seq")).isEqualTo(ack.getLong("seq"));
  }

  @Test
  void pipelinedSendsKeepTheirOrder() {
    String room = sharedChannel("order");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      acks.add(a.send(room, "o" + i, "m" + i));
    }
    acks.forEach(ChatClient::get);
    b.awaitRev(room, 502);
    assertThat(b.bodies(room)).isEqualTo(IntStream.range(0, 500).mapToObj(i -> "m" + i).toList());
  }

  @Test
  void aRetryGetsTheSameSeqAndOtherContentIsAMismatch() {
    String room = sharedChannel("retry");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    ChatClient other = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    JsonObject first = ChatClient.get(a.send(room, "r1", "once"));
    JsonObject again = ChatClient.get(a.send(room, "r1", "once"));
    assertThat(again.getLong("seq")).isEqualTo(first.getLong("seq"));
    assertThat(again.getBoolean("duplicate")).isTrue();
    JsonObject mismatch = ChatClient.get(a.send(room, "r1", "twice"));
    assertThat(mismatch.getString("code")).isEqualTo("idempotency_mismatch");
    assertThat(mismatch.getString("client_id")).isEqualTo("r1");
    ChatClient.get(other.send(room, "r1", "another sender"));
    a.awaitRev(room, 4);
    assertThat(a.bodies(room)).containsExactly("once", "another sender");
  }

  @Test
  void whoComesBackGetsWhatWasMissedThenWhatIsNew() {
    String room = sharedChannel("resume");
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    ChatClient.get(a.send(room, "m0", "before"));
    b.awaitRev(room, 3);
    b.cut();
    for (int i = 0; i < 300; i++) {
      ChatClient.get(a.send(room, "away" + i, "away " + i));
    }
    ChatClient back = ChatClient.hello(nodes.vertx(), nodes.port(0), bob.token());
    JsonObject resumed = back.resume(true, ChatClient.point(room, 1, 3));
    assertThat(resumed.getJsonArray("rooms").getJsonObject(0).getBoolean("recovered")).isTrue();
    ChatClient.get(a.send(room, "m1", "after"));
    back.awaitRev(room, 304);
    assertThat(back.events(room))
        .extracting(e -> e.getLong("rev"))
        .isEqualTo(IntStream.rangeClosed(4, 304).mapToObj(i -> (long) i).toList());
    assertThat(back.bodies(room)).startsWith("away 0").endsWith("away 299", "after");
  }

  @Test
  void oneWhoIsAddedHearsOfItAndOneWhoIsRemovedHearsNoMore() {
    String room =
        alice
            .at(nodes.port(0))
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "team"))
            .getString("room_id");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    String member = "/v1/rooms/" + room + "/members/" + bob.accountId();
    alice.at(nodes.port(0)).ok("PUT", member, new JsonObject());
    assertThat(b.awaitFrame("room.added").getJsonObject("room").getString("room_id"))
        .isEqualTo(room);
    ChatClient.get(a.send(room, "g1", "welcome"));
    b.awaitRev(room, 3);
    alice.at(nodes.port(0)).ok("DELETE", member, null);
    assertThat(b.awaitFrame("room.removed").getString("reason")).isEqualTo("removed");
    ChatClient.get(a.send(room, "g2", "alone"));
    a.awaitRev(room, 5);
    assertThat(ChatClient.get(b.send(room, "g3", "may I?")).getString("code"))
        .isEqualTo("not_found");
    assertThat(b.bodies(room)).containsExactly("welcome");
  }
}
