package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.client.ChatMessage;
import io.confab.client.HistoryQuery;
import io.confab.protocol.CloseCode;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Talker;
import io.confab.testing.Futures;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// PostgreSQL fails over, under two running nodes, to a standby that lacks the last commits and
/// gives their numbers out again.
@ExtendWith(VertxExtension.class)
@Tag("alone")
@Timeout(300)
class FailOverIT {
  /// While PostgreSQL stores nothing.
  private static final Duration REFUSED_AFTER = Duration.ofSeconds(5);

  private Path folder;
  private final Vertx vertx;
  private final OwnPostgres primary = new OwnPostgres();
  private final OwnPostgres standby = primary.standby();
  private final List<Node> nodes = new ArrayList<>();
  private Person alice;
  private Person aliceElsewhere;
  private Person bob;
  private Talker carol;
  private Talker dave;
  private String room;

  FailOverIT(Vertx vertx) {
    this.vertx = vertx;
  }

  /// What is numbered first after the promotion: a message goes over a writer's connection, a
  /// member over the pool, which may have opened its connections while the server was a standby.
  enum First {
    MESSAGE,
    MEMBER
  }

  @BeforeEach
  void start(@TempDir Path empty) {
    folder = empty;
    for (int i = 0; i < 2; i++) {
      nodes.add(
          Node.start(
              with(
                  onServers(
                      TestConfig.patient(TestConfig.node(folder.resolve("node" + i))),
                      primary.url().text(),
                      TestServers.redis()),
                  "persistence.wait_limit",
                  REFUSED_AFTER)));
    }
    alice = ApiClient.person(port(0), "alice", "Alice");
    aliceElsewhere = alice.onAnotherDevice(port(0));
    bob = ApiClient.person(port(1), "bob", "Bob");
    carol = Talker.signUp(vertx, "carol", List.of(port(0)));
    dave = Talker.signUp(vertx, "dave", List.of(port(1)));
    room = alice.at(port(0)).channel("failing over");
    bob.at(port(1)).join(room);
    for (Talker talker : List.of(carol, dave)) {
      add(talker.account().toString());
      Futures.get(talker.connect());
    }
  }

  private void add(String account) {
    alice.at(port(0)).ok("PUT", "/v1/rooms/" + room + "/members/" + account, null);
  }

  @AfterEach
  void stop() {
    carol.close();
    dave.close();
    nodes.forEach(Node::close);
    standby.close();
    primary.close();
  }

  private int port(int node) {
    return nodes.get(node).port();
  }

  private RoomId id() {
    return RoomId.parse(room);
  }

  private long say(ChatClient client, String body) {
    JsonObject ack = client.say(room, UUID.randomUUID().toString(), body);
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    return ack.getLong("rev");
  }

  private JsonObject standing() {
    return alice.at(port(0)).ok("GET", "/v1/rooms/" + room, null);
  }

  private static long number(OwnPostgres server, String sql) {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /// Stops the stream to the standby when it has everything, and lets the primary go on.
  private void leaveStandbyBehind() {
    long written = number(primary, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
    await()
        .until(() -> number(standby, "SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn") >= written);
    standby.stop();
  }

  @ParameterizedTest
  @EnumSource
  void nobodyKeepsAPositionAhead(First first) {
    ChatClient a = ChatClient.live(vertx, port(0), alice.token());
    ChatClient b = ChatClient.live(vertx, port(1), bob.token());
    long old = standing().getLong("epoch");
    for (int i = 0; i < 5; i++) {
      say(a, "kept " + i);
    }
    long kept = standing().getLong("rev");
    leaveStandbyBehind();
    Person erin = ApiClient.person(port(1), "erin", "Erin");
    erin.at(port(1)).join(room);
    long ahead = 0;
    for (int i = 0; i < 5; i++) {
      ahead = say(b, "lost " + i);
    }
    assertThat(ahead).isEqualTo(kept + 6);
    a.awaitRev(room, ahead);
    await().until(() -> dave.saw(id()).size() == 10 && carol.saw(id()).size() == 10);

    primary.kill();
    standby.startInPlaceOf(primary);
    assertThat(number(primary, "SELECT count(*) FROM message")).isEqualTo(5);
    refusesWhileItIsAStandby(a);
    standby.promote();
    goOn(first);

    for (ChatClient client : List.of(a, b)) {
      assertThat(client.closeCode()).isEqualTo((short) CloseCode.RESYNC.code());
      assertThat(client.events(room)).allMatch(event -> event.getLong("epoch") == old);
    }
    long raised = standing().getLong("epoch");
    assertThat(raised).isGreaterThan(old);
    comesBack(alice, 0, old, ahead, raised);
    comesBack(bob, 1, old, ahead, raised);
    for (Talker talker : List.of(carol, dave)) {
      await().untilAsserted(() -> isRight(talker));
    }
    assertThat(number(primary, "SELECT count(DISTINCT (seq)) - max(seq) FROM message")).isZero();
    assertThat(number(primary, "SELECT epoch FROM instance")).isEqualTo(raised);
  }

  private void refusesWhileItIsAStandby(ChatClient client) {
    JsonObject answer =
        ChatClient.get(client.send(room, UUID.randomUUID().toString(), "too early"));
    assertThat(answer.getString("code")).as("%s", answer).isEqualTo("unavailable");
    ApiClient.Answer leave =
        bob.at(port(1)).call("DELETE", "/v1/rooms/" + room + "/members/" + bob.accountId(), null);
    assertThat(leave.status()).as("%s", leave).isEqualTo(503);
  }

  /// The first numbers that are given out again.
  private void goOn(First first) {
    switch (first) {
      case MESSAGE -> {
        String id = UUID.randomUUID().toString();
        await()
            .ignoreException(AssertionError.class)
            .until(
                () -> {
                  ChatClient client = ChatClient.live(vertx, port(0), aliceElsewhere.token());
                  JsonObject ack = ChatClient.get(client.send(room, id, "first"));
                  client.cut();
                  return ack.getString("type").equals("message.ack");
                });
      }
      case MEMBER ->
          await()
              .ignoreException(AssertionError.class)
              .until(
                  () -> {
                    ApiClient.person(port(1), "frank", "Frank").at(port(1)).join(room);
                    return true;
                  });
    }
  }

  private void comesBack(Person person, int node, long old, long ahead, long raised) {
    ChatClient back = ChatClient.hello(vertx, port(node), person.token());
    JsonObject resumed =
        back.resume(true, ChatClient.point(room, old, ahead))
            .getJsonArray("rooms")
            .getJsonObject(0);
    assertThat(resumed.getBoolean("recovered")).isFalse();
    assertThat(resumed.getLong("epoch")).isEqualTo(raised);
    long at = resumed.getLong("rev");
    assertThat(at).isLessThan(ahead);
    String body = "again " + person.handle();
    long said = say(back, body); // after what others did, of which this node had not heard
    back.awaitRev(room, said);
    assertThat(back.events(room))
        .extracting(event -> event.getLong("rev"))
        .isEqualTo(LongStream.rangeClosed(at + 1, said).boxed().toList());
    assertThat(back.bodies(room)).endsWith(body);
    back.cut();
  }

  /// What a program shows is the history, and it stands where the room stands.
  private void isRight(Talker talker) {
    var history = Futures.get(talker.api().history(id(), HistoryQuery.newest()));
    assertThat(history.messages()).extracting(ChatMessage::body).contains("kept 4", "again bob");
    assertThat(talker.view(id()))
        .containsExactlyElementsOf(history.messages().stream().map(ChatMessage::body).toList());
    assertThat(Futures.get(talker.client().rooms()))
        .singleElement()
        .satisfies(
            position -> {
              assertThat(position.epoch()).isEqualTo(history.epoch());
              assertThat(position.rev()).isEqualTo(history.rev());
            });
  }
}
