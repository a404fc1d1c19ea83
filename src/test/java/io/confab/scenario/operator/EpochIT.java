package io.confab.scenario.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.protocol.CloseCode;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.Talker;
import io.confab.scenario.Terminal;
import io.confab.testing.Futures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `confab epoch bump` beside two running nodes: what clients see of it.
@Timeout(180)
class EpochIT {

  private Path home;
  private Nodes nodes;
  private Config first;
  private Person alice;
  private Person bob;
  private String room;

  @BeforeEach
  void start(@TempDir Path empty) {
    home = empty;
    nodes = Nodes.start(0);
    first = nodes.config();
    nodes.add(first);
    nodes.add(nodes.config());
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    room = alice.at(nodes.port(0)).channel("epochs");
    bob.at(nodes.port(0)).join(room);
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private long epoch(String... command) {
    String[] all =
        List.of("epoch", "--data-dir", first.dataDir().toString()).toArray(String[]::new);
    if (command.length > 0) {
      all =
          List.of("epoch", command[0], "--data-dir", first.dataDir().toString())
              .toArray(String[]::new);
    }
    Terminal.Result result = new Terminal(home, "http://127.0.0.1:1").run("", all);
    assertThat(result.exit()).as("%s", result).isZero();
    return new JsonObject(result.out()).getLong("epoch");
  }

  private static JsonObject say(ChatClient client, String room, String body) {
    JsonObject ack = client.say(room, UUID.randomUUID().toString(), body);
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    return ack;
  }

  private static JsonObject only(JsonObject resumed) {
    assertThat(resumed.getString("type")).as("%s", resumed).isEqualTo("resumed");
    return resumed.getJsonArray("rooms").getJsonObject(0);
  }

  @Test
  void socketsAreSentAwayAndClientsStartAnew() {
    ChatClient before = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    long old = before.welcome().getJsonArray("rooms").getJsonObject(0).getLong("epoch");
    long rev = say(before, room, "before").getLong("rev");
    before.awaitRev(room, rev);
    assertThat(epoch()).isEqualTo(old);

    long raised = epoch("bump");
    assertThat(raised).isGreaterThan(old);
    assertThat(before.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    JsonObject goodbye = before.awaitFrame("goodbye");
    assertThat(goodbye.getBoolean("resume")).isTrue();
    assertThat(goodbye.getInteger("code")).isEqualTo(CloseCode.RESYNC.code());
    assertThat(epoch()).isEqualTo(raised);

    ChatClient after = ChatClient.hello(nodes.vertx(), nodes.port(0), alice.token());
    JsonObject standing = after.welcome().getJsonArray("rooms").getJsonObject(0);
    assertThat(standing.getLong("epoch")).isEqualTo(raised);
    JsonObject resumed = only(after.resume(true, ChatClient.point(room, old, rev)));
    assertThat(resumed.getBoolean("recovered")).isFalse();
    assertThat(resumed.getLong("epoch")).isEqualTo(raised);
    JsonObject page = alice.at(nodes.port(0)).ok("GET", "/v1/rooms/" + room + "/messages", null);
    assertThat(page.getLong("epoch")).isEqualTo(raised);
    assertThat(page.getLong("rev")).isEqualTo(resumed.getLong("rev"));

    long next = say(after, room, "after").getLong("rev");
    assertThat(next).isEqualTo(rev + 1);
    after.awaitRev(room, next);
    assertThat(after.events(room))
        .singleElement()
        .satisfies(event -> assertThat(event.getLong("epoch")).isEqualTo(raised));
    after.cut();
  }

  @Test
  void everyAnswerOverHttpTellsTheNewEpoch() {
    long old = epoch();
    long raised = epoch("bump");
    ApiClient api = alice.at(nodes.port(0));
    assertThat(api.ok("GET", "/v1/rooms/" + room, null).getLong("epoch")).isEqualTo(raised);
    JsonArray rooms = api.ok("GET", "/v1/rooms", null).getJsonArray("rooms");
    assertThat(rooms.getJsonObject(0).getLong("epoch")).isEqualTo(raised);
    String events = "/v1/rooms/" + room + "/events?after_rev=1&epoch=";
    JsonObject outlived = api.ok("GET", events + old, null);
    assertThat(outlived.getBoolean("recovered")).isFalse();
    assertThat(outlived.getLong("epoch")).isEqualTo(raised);
    assertThat(api.ok("GET", events + raised, null).getBoolean("recovered")).isTrue();
    assertThat(api.ok("GET", events + (raised + 1), null).getBoolean("recovered")).isFalse();
  }

  @Test
  void anotherNodeLearnsItFromAnEventAndSendsItsSocketsAway() {
    ChatClient there = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    Person elsewhere = alice.onAnotherDevice(nodes.port(1));
    ChatClient idle = ChatClient.hello(nodes.vertx(), nodes.port(1), elsewhere.token());
    long raised = epoch("bump");
    ChatClient here = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    say(here, room, "news");
    assertThat(there.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    assertThat(idle.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    assertThat(there.events(room)).noneMatch(event -> event.getLong("epoch") == raised);
    ChatClient back = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    long rev = say(back, room, "answer").getLong("rev");
    here.awaitRev(room, rev);
    assertThat(here.events(room)).allMatch(event -> event.getLong("epoch") == raised);
    here.cut();
    back.cut();
  }

  @Test
  void anotherNodeLearnsItFromWhereTheRoomsOfAnybodyStand() {
    ChatClient there = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    long raised = epoch("bump");
    ChatClient stranger = ChatClient.open(nodes.vertx(), nodes.port(1));
    stranger.request(new JsonObject().put("type", "hello").put("token", alice.token()));
    assertThat(there.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    ChatClient back = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    long rev = say(back, room, "there").getLong("rev");
    back.awaitRev(room, rev);
    assertThat(back.events(room)).allMatch(event -> event.getLong("epoch") == raised);
    back.cut();
    stranger.cut();
  }

  @Test
  void whatIsSentOnANodeThatHasNotHeardOfItReachesThoseWhoHave() {
    await().until(this::aSendBeforeTheSignalReachesThoseWhoHadIt);
  }

  /// Whether the send came first: a node that hears of the new epoch before closes the socket.
  private boolean aSendBeforeTheSignalReachesThoseWhoHadIt() {
    ChatClient there = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    say(there, room, "its writer has a connection now");
    long raised = epoch("bump");
    ChatClient here = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    var answer = there.send(room, UUID.randomUUID().toString(), "under the old epoch");
    await().until(() -> answer.isDone() || there.isClosed());
    boolean first = answer.isDone() && !answer.isCompletedExceptionally();
    if (first) {
      here.awaitRev(room, answer.join().getLong("rev"));
      assertThat(here.events(room))
          .last()
          .satisfies(
              event -> {
                assertThat(event.getLong("epoch")).isEqualTo(raised);
                assertThat(event.getString("body")).isEqualTo("under the old epoch");
              });
    } else {
      assertThat(there.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    }
    here.cut();
    there.cut();
    return first;
  }

  @Test
  void manyRaisesInARowLeaveEverybodyRight() {
    Talker talker = Talker.signUp(nodes.vertx(), "carol", List.of(nodes.port(0)));
    Futures.get(talker.connect());
    alice.at(nodes.port(0)).ok("PUT", "/v1/rooms/" + room + "/members/" + talker.account(), null);
    await()
        .until(
            () ->
                Futures.get(talker.client().rooms()).stream()
                    .anyMatch(known -> known.roomId().equals(RoomId.parse(room))));
    for (int i = 0; i < 3; i++) {
      epoch("bump");
      ChatClient here = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
      say(here, room, "message " + i);
      here.cut();
    }
    await()
        .untilAsserted(
            () ->
                assertThat(talker.view(RoomId.parse(room)))
                    .containsExactly("message 0", "message 1", "message 2"));
    talker.close();
  }
}
