package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.Patience;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Ann types on one node, Bob looks on at another, in a room of theirs.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypingIT {
  private static final long LASTS = 5_000;

  private Nodes nodes;
  private Person ann;
  private Person bob;
  private Person cleo;
  private String name;
  private String room;
  private ChatClient a;
  private ChatClient b;
  private int said;
  private long grace = LASTS / 5;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    cleo = ApiClient.person(nodes.port(1), "cleo", "Cleo");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void open(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    room =
        ann.at(nodes.port(0))
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", name)
                    .put("members", new JsonArray().add(bob.accountId())))
            .getString("room_id");
    a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
  }

  @AfterEach
  void close() {
    a.cut();
    b.cut();
  }

  private static JsonObject frame(String type, String room) {
    return new JsonObject().put("type", type).put("room_id", room);
  }

  private static JsonObject type(ChatClient client, String room) {
    return client.ask(frame("typing", room));
  }

  /// What a session heard of this room; sockets of the test before may end only now.
  private List<JsonObject> heard(ChatClient client, String type) {
    return client.frames(type).stream()
        .filter(frame -> room.equals(frame.getString("room_id")))
        .toList();
  }

  private boolean hearsMore(ChatClient client, String type, int than) {
    return Patience.soon(() -> heard(client, type).size() > than);
  }

  /// Types as who goes on typing does, until the other has heard of it: a word of it may be lost.
  private void typesUntilHeard(ChatClient typist, Person who, ChatClient other) {
    int before = heard(other, "typing").size();
    await()
        .until(
            () -> {
              assertThat(type(typist, room).getString("type")).isEqualTo("ok");
              return heard(other, "typing").size() > before;
            });
    assertThat(heard(other, "typing").getLast().getString("account_id")).isEqualTo(who.accountId());
  }

  private void annTypes() {
    typesUntilHeard(a, ann, b);
  }

  /// Ann types and does what ends it, until Bob hears that it ends: the word of it may be lost, and
  /// it lapses while the machine stands still.
  private void bobHearsThatItEndsBy(Runnable end) {
    bobHearsThatItEndsBy(() -> {}, end);
  }

  /// @param begin of each try
  private void bobHearsThatItEndsBy(Runnable begin, Runnable end) {
    await()
        .until(
            () -> {
              begin.run();
              annTypes();
              int before = heard(b, "typing.stop").size();
              end.run();
              return hearsMore(b, "typing.stop", before);
            });
    assertThat(heard(b, "typing.stop"))
        .allMatch(over -> ann.accountId().equals(over.getString("account_id")))
        .hasSizeLessThanOrEqualTo(heard(b, "typing").size());
  }

  private String nextId() {
    return name + said++;
  }

  /// What comes later, from Ann's node, has come: so nothing more of what was asked before will.
  private void settle() {
    long rev =
        bob.at(nodes.port(0))
            .ok(
                "POST",
                "/v1/rooms/" + room + "/messages",
                new JsonObject().put("client_id", nextId()).put("body", "Well?"))
            .getLong("rev");
    a.awaitRev(room, rev);
    b.awaitRev(room, rev);
  }

  @Test
  void othersHearOfItAndTheAccountsOwnSessionsDoNot() {
    ChatClient own =
        ChatClient.live(nodes.vertx(), nodes.port(1), ann.onAnotherDevice(nodes.port(1)).token());
    long before = System.currentTimeMillis();
    annTypes();
    assertThat(heard(b, "typing").getFirst().getLong("until"))
        .isBetween(before, System.currentTimeMillis() + LASTS + 1_000);
    bobHearsThatItEndsBy(this::annStops);
    settle();
    int stops = heard(b, "typing.stop").size();
    annStops();
    settle();
    await().until(() -> own.bodies(room).contains("Well?"));
    for (ChatClient session : List.of(a, own)) {
      assertThat(session.frames("typing")).isEmpty();
      assertThat(session.frames("typing.stop")).isEmpty();
    }
    assertThat(heard(b, "typing.stop")).hasSize(stops);
    own.cut();
  }

  private void annStops() {
    assertThat(a.ask(frame("typing.stop", room)).getString("type")).isEqualTo("ok");
  }

  @Test
  void aSocketThatHasNotResumedHearsNothing() {
    ChatClient early = ChatClient.hello(nodes.vertx(), nodes.port(1), cleo.token());
    ann.at(nodes.port(0)).ok("PUT", "/v1/rooms/" + room + "/members/" + cleo.accountId(), null);
    annTypes();
    settle();
    assertThat(early.ask(new JsonObject().put("type", "ping")).getString("type")).isEqualTo("pong");
    assertThat(early.frames("typing")).isEmpty();
    early.cut();
  }

  @Test
  void itIsRepeatedAndLapses() {
    annTypes();
    long first = heard(b, "typing").getFirst().getLong("until");
    annTypes();
    assertThat(heard(b, "typing").getLast().getLong("until")).isGreaterThanOrEqualTo(first + 900);
    await().until(this::isOverByItself);
  }

  /// Whether what Bob was told is over a while after he let it lapse: then a message ends nothing.
  /// A node that stood still lets it last for longer, so each try waits for twice as long.
  private boolean isOverByItself() {
    annTypes();
    long until = heard(b, "typing").getLast().getLong("until");
    await().until(() -> System.currentTimeMillis() > until + grace);
    grace *= 2;
    int before = heard(b, "typing.stop").size();
    annSays();
    settle();
    return heard(b, "typing.stop").size() == before;
  }

  private void annSays() {
    long rev = ChatClient.get(a.send(room, nextId(), "There")).getLong("rev");
    a.awaitRev(room, rev);
  }

  @Test
  void aMessageEndsIt() {
    bobHearsThatItEndsBy(this::annSays);
  }

  @Test
  void aMessageOverHttpEndsItAndOneOfSomebodyElseDoesNot() {
    annTypes();
    settle(); // which Ann's node has seen when it says the next one
    settle();
    assertThat(heard(b, "typing.stop")).isEmpty();
    bobHearsThatItEndsBy(
        () ->
            ann.at(nodes.port(1))
                .ok(
                    "POST",
                    "/v1/rooms/" + room + "/messages",
                    new JsonObject().put("client_id", nextId()).put("body", "There")));
  }

  @Test
  void aLostSocketEndsIt() {
    a.cut();
    bobHearsThatItEndsBy(
        () -> a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token()), () -> a.cut());
  }

  @Test
  void leavingEndsIt() {
    String member = "/v1/rooms/" + room + "/members/" + bob.accountId();
    await()
        .until(
            () -> {
              ann.at(nodes.port(0)).ok("PUT", member, null);
              typesUntilHeard(b, bob, a);
              ann.at(nodes.port(0)).ok("DELETE", member, null);
              return hearsMore(a, "typing.stop", 0);
            });
    assertThat(heard(a, "typing.stop"))
        .allMatch(over -> bob.accountId().equals(over.getString("account_id")));
    assertThat(type(b, room).getString("code")).isEqualTo("not_found");
  }

  @Test
  void whoMayNotSendMayNotType() {
    ChatClient c = ChatClient.live(nodes.vertx(), nodes.port(1), cleo.token());
    assertThat(type(c, room).getString("code")).isEqualTo("not_found");
    assertThat(type(c, "whatever").getString("code")).isEqualTo("not_found");
    String channel = ann.at(nodes.port(0)).channel(name);
    assertThat(type(c, channel).getString("code")).isEqualTo("forbidden");

    String bobIn = "/v1/rooms/" + room + "/mutes/" + bob.accountId();
    ann.at(nodes.port(0))
        .ok("PUT", bobIn, new JsonObject().put("until", System.currentTimeMillis() + 600_000));
    JsonObject muted = type(b, room);
    assertThat(muted.getString("code")).isEqualTo("muted");
    assertThat(muted.getLong("retry_after_ms")).isBetween(1L, 600_000L);
    ann.at(nodes.port(0)).ok("DELETE", bobIn, null);
    typesUntilHeard(b, bob, a);

    nodes.database().execute("UPDATE room SET member_count = 201 WHERE name = '" + name + "'");
    assertThat(type(a, room).getString("code")).isEqualTo("conflict");
    nodes.database().execute("UPDATE room SET member_count = 200 WHERE name = '" + name + "'");
    annTypes();

    ann.at(nodes.port(0)).ok("DELETE", "/v1/rooms/" + room, null);
    await().until(() -> type(a, room).getString("code", "").equals("conflict"));
    assertThat(c.frames("typing")).isEmpty();
    c.cut();
  }

  @Test
  void oneWhoIsBlockedDoesNotType() {
    String direct =
        ann.at(nodes.port(0))
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "direct")
                    .put("members", new JsonArray().add(bob.accountId())))
            .getString("room_id");
    assertThat(type(a, direct).getString("type")).isEqualTo("ok");
    bob.at(nodes.port(1)).ok("PUT", "/v1/blocks/" + ann.accountId(), null);
    assertThat(type(b, direct).getString("code")).isEqualTo("blocked");
    await().until(() -> type(a, direct).getString("code", "").equals("blocked"));
    bob.at(nodes.port(1)).ok("DELETE", "/v1/blocks/" + ann.accountId(), null);
  }

  @Test
  void slowModeDoesNotKeepOneFromTyping() {
    ann.at(nodes.port(0))
        .ok("PATCH", "/v1/rooms/" + room, new JsonObject().put("slow_mode_s", 600));
    ChatClient.get(b.send(room, "first", "Hello"));
    assertThat(ChatClient.get(b.send(room, "second", "Too soon")).getString("code"))
        .isEqualTo("slow_mode");
    typesUntilHeard(b, bob, a);
  }

  @Test
  void tenThousandTimesIsHeardAFewTimes() {
    long begun = System.nanoTime();
    await()
        .until(
            () -> {
              IntStream.range(0, 10_000)
                  .mapToObj(_ -> a.request(frame("typing", room)))
                  .toList()
                  .forEach(
                      each -> assertThat(ChatClient.get(each).getString("type")).isEqualTo("ok"));
              return hearsMore(b, "typing", 0);
            });
    settle();
    long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
    assertThat(heard(b, "typing")).hasSizeBetween(1, (int) seconds + 2);
    bobHearsThatItEndsBy(this::annSays);
  }
}
