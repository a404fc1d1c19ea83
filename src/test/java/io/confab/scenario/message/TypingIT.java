package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

  /// Ann types, and Bob has heard of it.
  private void annTypes() {
    assertThat(type(a, room).getString("type")).isEqualTo("ok");
    JsonObject shown = b.awaitFrame("typing");
    assertThat(shown.getString("room_id")).isEqualTo(room);
    assertThat(shown.getString("account_id")).isEqualTo(ann.accountId());
  }

  private void bobHearsThatItEnds() {
    JsonObject over = b.awaitFrame("typing.stop");
    assertThat(over.getString("room_id")).isEqualTo(room);
    assertThat(over.getString("account_id")).isEqualTo(ann.accountId());
    assertThat(b.frames("typing.stop")).hasSize(1);
  }

  /// What comes later has come: so nothing more of what was asked before will.
  private void settle() {
    long rev = ChatClient.get(b.send(room, name + said++, "Well?")).getLong("rev");
    b.awaitRev(room, rev);
  }

  @Test
  void othersHearOfItAndTheAccountsOwnSessionsDoNot() {
    ChatClient own =
        ChatClient.live(nodes.vertx(), nodes.port(1), ann.onAnotherDevice(nodes.port(1)).token());
    long before = System.currentTimeMillis();
    annTypes();
    assertThat(b.frames("typing").getFirst().getLong("until"))
        .isBetween(before, System.currentTimeMillis() + LASTS + 1_000);
    assertThat(a.ask(frame("typing.stop", room)).getString("type")).isEqualTo("ok");
    bobHearsThatItEnds();
    assertThat(a.ask(frame("typing.stop", room)).getString("type")).isEqualTo("ok");
    settle();
    await().until(() -> own.bodies(room).contains("Well?"));
    for (ChatClient session : List.of(a, own)) {
      assertThat(session.frames("typing")).isEmpty();
      assertThat(session.frames("typing.stop")).isEmpty();
    }
    assertThat(b.frames("typing.stop")).hasSize(1);
    own.cut();
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
    long first = b.frames("typing").getFirst().getLong("until");
    annRepeats();
    assertThat(b.frames("typing").getLast().getLong("until")).isGreaterThanOrEqualTo(first + 900);
    await().until(this::isOverByItself);
  }

  /// Types until Bob hears of it once more.
  private void annRepeats() {
    int before = b.frames("typing").size();
    await()
        .until(
            () -> {
              type(a, room);
              return b.frames("typing").size() > before;
            });
    settle();
  }

  /// Whether what Bob was told is over when its time is: then a message ends nothing. A node that
  /// stood still before it told of it lets it last for as long as ever after that.
  private boolean isOverByItself() {
    long until = b.frames("typing").getLast().getLong("until");
    await().until(() -> System.currentTimeMillis() > until + LASTS / 5);
    int before = b.frames("typing.stop").size();
    ChatClient.get(a.send(room, name + said++, "At last"));
    settle();
    if (b.frames("typing.stop").size() == before) {
      return true;
    }
    annRepeats();
    return false;
  }

  @Test
  void aMessageEndsIt() {
    annTypes();
    ChatClient.get(a.send(room, name, "There"));
    bobHearsThatItEnds();
  }

  @Test
  void aMessageOverHttpEndsItAndOneOfSomebodyElseDoesNot() {
    annTypes();
    settle();
    assertThat(b.frames("typing.stop")).isEmpty();
    ann.at(nodes.port(1))
        .ok(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", name).put("body", "There"));
    bobHearsThatItEnds();
  }

  @Test
  void aLostSocketEndsIt() {
    annTypes();
    a.cut();
    bobHearsThatItEnds();
  }

  @Test
  void leavingEndsIt() {
    assertThat(type(b, room).getString("type")).isEqualTo("ok");
    a.awaitFrame("typing");
    ann.at(nodes.port(0)).ok("DELETE", "/v1/rooms/" + room + "/members/" + bob.accountId(), null);
    JsonObject over = a.awaitFrame("typing.stop");
    assertThat(over.getString("account_id")).isEqualTo(bob.accountId());
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
    assertThat(type(b, room).getString("type")).isEqualTo("ok");
    a.awaitFrame("typing");

    nodes.database().execute("UPDATE room SET member_count = 201 WHERE name = '" + name + "'");
    assertThat(type(a, room).getString("code")).isEqualTo("conflict");
    nodes.database().execute("UPDATE room SET member_count = 200 WHERE name = '" + name + "'");
    assertThat(type(a, room).getString("type")).isEqualTo("ok");
    b.awaitFrame("typing");

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
    assertThat(type(b, room).getString("type")).isEqualTo("ok");
    a.awaitFrame("typing");
  }

  @Test
  void tenThousandTimesIsHeardAFewTimes() {
    long begun = System.nanoTime();
    List<CompletableFuture<JsonObject>> answers =
        IntStream.range(0, 10_000).mapToObj(_ -> a.request(frame("typing", room))).toList();
    answers.forEach(answer -> assertThat(ChatClient.get(answer).getString("type")).isEqualTo("ok"));
    long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
    ChatClient.get(a.send(room, name, "There"));
    bobHearsThatItEnds();
    assertThat(b.frames("typing")).hasSizeBetween(1, (int) seconds + 2);
  }
}
