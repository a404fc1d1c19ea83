package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.protocol.CloseCode;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Talker;
import io.confab.scenario.Terminal;
import io.confab.testing.Futures;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestServers;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// An older copy of the data takes their place under a running node. A cold copy is the same server
/// on the same timeline: only the operator can tell, or a node that knows a greater epoch.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class RestoreIT {

  private Path folder;
  private final Vertx vertx;
  private final OwnPostgres postgres = new OwnPostgres();
  private Config config;
  private Node node;
  private Person alice;
  private Talker carol;
  private String room;

  RestoreIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeEach
  void start(@TempDir Path empty) {
    folder = empty;
    config =
        onServers(
            TestConfig.patient(TestConfig.node(folder.resolve("data"))),
            postgres.url().text(),
            TestServers.redis());
    node = Node.start(config);
    alice = ApiClient.person(node.port(), "alice", "Alice");
    carol = Talker.signUp(vertx, "carol", List.of(node.port()));
    room = alice.at(node.port()).channel("restored");
    alice.at(node.port()).ok("PUT", "/v1/rooms/" + room + "/members/" + carol.account(), null);
    Futures.get(carol.connect());
  }

  @AfterEach
  void stop() {
    carol.close();
    node.close();
    postgres.close();
  }

  private ChatClient live() {
    return ChatClient.live(vertx, node.port(), alice.token());
  }

  private long say(ChatClient client, String body) {
    JsonObject ack = client.say(room, UUID.randomUUID().toString(), body);
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    client.awaitRev(room, ack.getLong("rev"));
    return ack.getLong("rev");
  }

  /// Says it as soon as the database is back and the node has noticed.
  private JsonObject sayWhenBack(String body) {
    String id = UUID.randomUUID().toString();
    return await()
        .ignoreException(AssertionError.class)
        .until(
            () -> {
              ChatClient client = ChatClient.live(vertx, node.port(), alice.token());
              JsonObject ack = ChatClient.get(client.send(room, id, body));
              client.cut();
              return ack;
            },
            ack -> ack.getString("type").equals("message.ack"));
  }

  private JsonObject bump() {
    Terminal.Result result =
        new Terminal(folder, "http://127.0.0.1:1")
            .run("", "epoch", "bump", "--data-dir", config.dataDir().toString());
    assertThat(result.exit()).as("%s", result).isZero();
    return new JsonObject(result.out());
  }

  private void awaitView(String... bodies) {
    await().untilAsserted(() -> assertThat(carol.view(id())).containsExactly(bodies));
  }

  private RoomId id() {
    return RoomId.parse(room);
  }

  /// What is said now is in the copy, what is said after it is lost with the restore.
  private long loseSome(ChatClient client) {
    say(client, "kept");
    client.cut();
    Path copy = postgres.backup();
    sayWhenBack("lost 1");
    ChatClient again = live();
    long ahead = say(again, "lost 2");
    awaitView("kept", "lost 1", "lost 2");
    again.cut();
    postgres.restore(copy);
    return ahead;
  }

  @Test
  void afterABumpEverybodyComesRight() {
    ChatClient client = live();
    long old = client.welcome().getJsonArray("rooms").getJsonObject(0).getLong("epoch");
    long ahead = loseSome(client);
    long raised = await().ignoreExceptions().until(this::bump, b -> true).getLong("epoch");
    assertThat(raised).isGreaterThan(old);

    ChatClient back = ChatClient.hello(vertx, node.port(), alice.token());
    JsonObject resumed =
        back.resume(true, ChatClient.point(room, old, ahead))
            .getJsonArray("rooms")
            .getJsonObject(0);
    assertThat(resumed.getBoolean("recovered")).isFalse();
    assertThat(resumed.getLong("epoch")).isEqualTo(raised);
    assertThat(resumed.getLong("rev")).isEqualTo(ahead - 2);
    assertThat(say(back, "new 1")).isEqualTo(ahead - 1);
    assertThat(say(back, "new 2")).isEqualTo(ahead);
    assertThat(say(back, "new 3")).isEqualTo(ahead + 1);
    awaitView("kept", "new 1", "new 2", "new 3");
    back.cut();
  }

  @Test
  void aCopyFromBeforeTheLastRaiseIsNoticedWithoutACommand() {
    ChatClient client = live();
    say(client, "kept");
    client.cut();
    Path copy = postgres.backup();
    sayWhenBack("lost 1");
    long known = bump().getLong("epoch");
    ChatClient ahead = live();
    say(ahead, "lost 2");
    postgres.restore(copy);
    assertThat(ahead.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
    sayWhenBack("new");
    awaitView("kept", "new");
    assertThat(alice.at(node.port()).ok("GET", "/v1/rooms/" + room, null).getLong("epoch"))
        .isGreaterThan(known);
  }
}
