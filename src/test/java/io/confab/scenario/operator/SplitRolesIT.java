package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// One node of a cluster talks with clients, another one routes and stores.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SplitRolesIT {
  private static final Set<NodeRole> EDGE =
      EnumSet.of(NodeRole.SOCKETS, NodeRole.HTTP, NodeRole.PRESENCE);
  private static final Set<NodeRole> CORE = EnumSet.of(NodeRole.ROUTING, NodeRole.PERSISTENCE);

  /// Enough that each lane has some.
  private static final int ROOMS = 10;

  private Nodes nodes;
  private Config coreConfig;
  private Node core;
  private Person alice;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    int edgePort = Ports.freeRun(2);
    int corePort = edgePort + 1;
    List<String> members = List.of(address(edgePort), address(corePort));
    nodes.add(clustered(EDGE, edgePort, members));
    coreConfig = clustered(CORE, corePort, members);
    core = nodes.add(coreConfig);
    alice = person("alice");
    bob = person("bob");
    awaitCore();
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// As soon as it is known who answers.
  private Person person(String handle) {
    return await()
        .ignoreException(AssertionError.class)
        .until(() -> ApiClient.person(nodes.port(0), handle, handle), _ -> true);
  }

  /// Until it is known who answers calls and who stores, for rooms of whatever lane: one may be
  /// known before another.
  private void awaitCore() {
    for (int i = 0; i < ROOMS; i++) {
      await().ignoreException(AssertionError.class).until(this::isSaidInANewRoom);
    }
  }

  private boolean isSaidInANewRoom() {
    String room = asAlice().channel("any " + UUID.randomUUID());
    JsonObject message = new JsonObject().put("client_id", room).put("body", "Anybody?");
    return asAlice().call("POST", "/v1/rooms/" + room + "/messages", message).status() < 300;
  }

  private static String address(int port) {
    return InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
  }

  private Config clustered(Set<NodeRole> roles, int port, List<String> members) {
    return with(
        with(nodes.config(), "node.roles", roles),
        "cluster",
        TestConfig.cluster(true, port, members));
  }

  private ApiClient asAlice() {
    return alice.at(nodes.port(0));
  }

  private ChatClient live(Person person) {
    return ChatClient.live(nodes.vertx(), nodes.port(0), person.token());
  }

  @Test
  void peopleTalkAreAddedAndRemovedAndReadBack() {
    JsonObject group = new JsonObject().put("type", "group").put("name", "team");
    String room = asAlice().ok("POST", "/v1/rooms", group).getString("room_id");
    ChatClient a = live(alice);
    ChatClient b = live(bob);
    String member = "/v1/rooms/" + room + "/members/" + bob.accountId();
    asAlice().ok("PUT", member, new JsonObject());
    b.awaitFrame("room.added");
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      acks.add((i % 2 == 0 ? a : b).send(room, "talk" + i, "message " + i));
    }
    acks.forEach(ack -> assertThat(ChatClient.get(ack).getString("status")).isEqualTo("sent"));
    a.awaitRev(room, 202);
    b.awaitRev(room, 202);
    assertThat(b.bodies(room)).hasSize(200).isEqualTo(a.bodies(room));
    JsonObject page = asAlice().ok("GET", "/v1/rooms/" + room + "/messages?limit=200", null);
    assertThat(page.getJsonArray("messages").stream())
        .extracting(message -> ((JsonObject) message).getString("body"))
        .isEqualTo(a.bodies(room));

    asAlice().ok("DELETE", member, null);
    assertThat(b.awaitFrame("room.removed").getString("reason")).isEqualTo("removed");
    assertThat(ChatClient.get(b.send(room, "outside", "hello?")).getString("code"))
        .isEqualTo("not_found");
    a.cut();
    b.cut();
  }

  @Test
  void whatIsSentWhileTheOtherNodeIsAwayIsStoredOnceWhenItIsBack() {
    String room = asAlice().channel("stop");
    bob.at(nodes.port(0)).join(room);
    ChatClient a = live(alice);
    ChatClient b = live(bob);
    List<CompletableFuture<JsonObject>> first =
        IntStream.range(0, 100).mapToObj(i -> a.send(room, "m" + i, "message " + i)).toList();
    core.close();
    first.forEach(answer -> assertStoredOrUnavailable(ChatClient.get(answer)));
    JsonObject refused = ChatClient.get(a.send(room, "m100", "message 100"));
    assertThat(refused.getString("code")).isEqualTo("unavailable");
    assertThat(refused.getBoolean("retryable")).isTrue();
    assertThat(refused.getString("client_id")).isEqualTo("m100");
    assertThat(asAlice().call("GET", "/v1/me", null).code()).isEqualTo("unavailable");

    core = nodes.add(coreConfig);
    await().until(() -> asAlice().call("GET", "/v1/me", null).status() == 200);
    awaitCore();
    for (int i = 0; i <= 100; i++) {
      assertThat(a.say(room, "m" + i, "message " + i).getString("status")).isEqualTo("sent");
    }
    a.awaitRev(room, 103);
    b.awaitRev(room, 103);
    assertThat(b.events(room)).hasSize(101).isEqualTo(a.events(room));
    assertThat(b.bodies(room))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(0, 100).mapToObj(i -> "message " + i).toList());
    long id = RoomId.parse(room).value();
    assertThat(nodes.database().count("SELECT count(*) FROM message WHERE room_id = " + id))
        .isEqualTo(101);
  }

  private static void assertStoredOrUnavailable(JsonObject answer) {
    assertThat("message.ack".equals(answer.getString("type")) || isUnavailable(answer))
        .as("%s", answer)
        .isTrue();
  }

  private static boolean isUnavailable(JsonObject answer) {
    return "unavailable".equals(answer.getString("code")) && answer.getBoolean("retryable");
  }
}
