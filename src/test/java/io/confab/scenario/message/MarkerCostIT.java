package io.confab.scenario.message;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.proxy.Statements;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What a marker that moves on one node costs another one, which has the other device of its
/// account and the sender, and how soon that device knows; with markers gathered as they are by
/// default.
///
/// What a node does only now and then by itself is counted too, but is less than one for each
/// marker. What took longer because the machine stood still is measured again.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MarkerCostIT {
  private static final int READS = 100;
  private static final int MOST_WITH_RECEIPTS = 32;
  private static final int CONFIRMED = 5;

  /// Of a send that 31 members confirm twice each: its own one, those that move their markers and
  /// those that tell what is unread then, and what the node does meanwhile.
  private static final long MOST_STATEMENTS = 12;
  private static final Duration GATHER = Duration.ofMillis(200);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final OwnRedis redis = OwnRedis.start();
  private final Statements statements = new Statements();
  private Nodes nodes;
  private TcpProxy postgres;
  private Person ann;
  private ChatClient a;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    postgres = TcpProxy.before(nodes.postgresUrl(), statements);
    for (String url : List.of(nodes.postgresUrl(), postgres.url())) {
      nodes.add(
          with(
              onServers(nodes.config(), url, redis.address()),
              "persistence.marker_gather",
              GATHER));
    }
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    a = ChatClient.live(nodes.vertx(), nodes.port(1), ann.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
    postgres.close();
    redis.close();
  }

  private String groupWith(Person person) {
    return ann.at(nodes.port(0))
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", "Tea")
                .put("members", new JsonArray().add(person.accountId())))
        .getString("room_id");
  }

  private void annSays(String room, int times) {
    await()
        .until(
            () ->
                a.frames("room.added").stream()
                    .anyMatch(f -> room.equals(f.getJsonObject("room").getString("room_id"))));
    for (int i = 0; i < times; i++) {
      ChatClient.get(a.send(room, room + a.frames().size(), "Hello"));
    }
  }

  private static void read(ChatClient client, String room, long seq) {
    JsonObject ok =
        client.ask(new JsonObject().put("type", "read").put("room_id", room).put("seq", seq));
    assertThat(ok.getString("type")).as("%s", ok).isEqualTo("ok");
  }

  private static void awaitMarker(ChatClient client, String room, long seq) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                client.frames("marker").stream()
                    .anyMatch(
                        f -> room.equals(f.getString("room_id")) && f.getLong("read_seq") == seq));
  }

  private static void awaitNothingUnread(ChatClient client, String room) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                client.frames("unread").stream()
                    .anyMatch(
                        f -> room.equals(f.getString("room_id")) && f.getLong("unread") == 0));
  }

  @Test
  void aMarkerThatMovesCostsOtherNodesNoStatement() {
    Person bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    String room = groupWith(bob);
    annSays(room, 1);
    ChatClient here = ChatClient.live(nodes.vertx(), nodes.port(0), bob.token());
    ChatClient there =
        ChatClient.live(nodes.vertx(), nodes.port(1), bob.onAnotherDevice(nodes.port(0)).token());
    read(here, room, 1);
    awaitMarker(there, room, 1);
    AtomicLong last = new AtomicLong(1);
    await().until(() -> costOfReading(here, there, room, last.getAndAdd(READS)) == 0);
  }

  private long costOfReading(ChatClient here, ChatClient there, String room, long after) {
    annSays(room, READS);
    long before = statements.asked();
    for (int i = 1; i <= READS; i++) {
      read(here, room, after + i);
    }
    awaitMarker(there, room, after + READS);
    await()
        .until(
            () ->
                a.frames("message.ack").stream()
                    .filter(f -> "read".equals(f.getString("status")))
                    .anyMatch(f -> f.getLong("seq") == after + READS));
    return (statements.asked() - before) / READS;
  }

  @Test
  void whatAllMembersConfirmOfASendSharesStatements() {
    List<Person> people =
        IntStream.range(1, MOST_WITH_RECEIPTS)
            .mapToObj(i -> ApiClient.person(nodes.port(0), "reader" + i, "R"))
            .toList();
    String room = groupWith(people.getFirst());
    people.stream()
        .skip(1)
        .forEach(
            person ->
                ann.at(nodes.port(0))
                    .ok("PUT", "/v1/rooms/" + room + "/members/" + person.accountId(), null));
    List<ChatClient> members =
        people.stream()
            .map(person -> ChatClient.live(nodes.vertx(), nodes.port(1), person.token()))
            .toList();
    annSays(room, 1);
    confirm(members, room, 1);
    AtomicLong last = new AtomicLong(1);
    await()
        .untilAsserted(
            () ->
                assertThat(costOfConfirming(members, room, last.getAndAdd(CONFIRMED)))
                    .isBetween(2L, MOST_STATEMENTS));
    members.forEach(ChatClient::cut);
  }

  private long costOfConfirming(List<ChatClient> members, String room, long after) {
    long before = statements.asked();
    for (int i = 1; i <= CONFIRMED; i++) {
      annSays(room, 1);
      confirm(members, room, after + i);
    }
    return (statements.asked() - before) / CONFIRMED;
  }

  /// All have received and read it, and are answered.
  private static void confirm(List<ChatClient> members, String room, long seq) {
    List<CompletableFuture<JsonObject>> answers =
        members.stream()
            .flatMap(
                member ->
                    Stream.of("delivered", "read")
                        .map(
                            type ->
                                member.request(
                                    new JsonObject()
                                        .put("type", type)
                                        .put("room_id", room)
                                        .put("seq", seq))))
            .toList();
    answers.forEach(answer -> assertThat(ChatClient.get(answer).getString("type")).isEqualTo("ok"));
  }

  @Test
  void readingOnOneDeviceClearsTheOtherSoon() {
    AtomicInteger tries = new AtomicInteger();
    await()
        .untilAsserted(
            () -> {
              List<Duration> taken = timesUntilCleared(tries.incrementAndGet());
              assertThat(taken.get(taken.size() / 2)).as("%s", taken).isLessThan(SOON);
            });
  }

  /// Of five people, in their order.
  private List<Duration> timesUntilCleared(int number) {
    List<Duration> taken = new ArrayList<>();
    for (String who : List.of("cleo", "dave", "emil", "finn", "gwen")) {
      String name = who + number;
      Person person = ApiClient.person(nodes.port(0), name, name);
      String room = groupWith(person);
      annSays(room, 3);
      ChatClient here = ChatClient.live(nodes.vertx(), nodes.port(0), person.token());
      ChatClient there =
          ChatClient.live(
              nodes.vertx(), nodes.port(1), person.onAnotherDevice(nodes.port(0)).token());
      // One that follows closely is gathered.
      IntStream.rangeClosed(1, 2).forEach(seq -> read(there, room, seq));
      long began = System.nanoTime();
      read(here, room, 3);
      awaitMarker(there, room, 3);
      taken.add(Duration.ofNanos(System.nanoTime() - began));
      awaitNothingUnread(there, room);
    }
    taken.sort(null);
    return taken;
  }
}
