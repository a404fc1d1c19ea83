package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A member who sends on a socket as fast as it can loses the right to, by a call to another
/// node: what it was told about each message is what the room's log holds, and the log holds
/// nothing of it after the event that ended the right.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostRightIT {
  private static final int RACES = 20;
  private static final int UNDER_WAY = 16;
  private static final long LATER = 4_000_000_000_000L;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Nodes nodes;
  private Person ann;
  private Person bob;
  private ChatClient hers;
  private ChatClient his;
  private int rooms;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    hers = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    his = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private JsonObject byAnn(String method, String path, JsonObject body) {
    return ann.at(nodes.port(0)).ok(method, path, body.isEmpty() ? null : body);
  }

  /// A room that both sockets follow from here on: who was never told that it was added is not
  /// told that it was removed.
  private String group() {
    JsonObject room =
        byAnn(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", "race " + ++rooms)
                .put("members", new JsonArray().add(bob.accountId())));
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> isTold(hers, room) && isTold(his, room));
    return id(room);
  }

  private static boolean isTold(ChatClient client, JsonObject room) {
    return client.frames("room.added").stream().anyMatch(f -> f.encode().contains(id(room)));
  }

  private static String id(JsonObject room) {
    return room.getString("room_id");
  }

  @RepeatedTest(RACES)
  void nothingOfAKickedMemberFollowsTheKick() throws InterruptedException {
    String room = group();
    String membership = "/v1/rooms/" + room + "/members/" + bob.accountId();
    Speech speech = new Speech(room);
    byAnn("DELETE", membership, new JsonObject());
    assertSaidOnlyBefore("member.left", "not_found", speech);
    assertNothingAfterRemoval(room, "removed");
    byAnn("PUT", membership, new JsonObject());
    assertThat(speech.say("back").getString("type")).isEqualTo("message.ack");
  }

  @RepeatedTest(RACES)
  void nothingOfABannedMemberFollowsTheBan() throws InterruptedException {
    String room = group();
    String ban = "/v1/rooms/" + room + "/bans/" + bob.accountId();
    Speech speech = new Speech(room);
    byAnn("PUT", ban, new JsonObject().put("reason", "noise"));
    assertSaidOnlyBefore("member.left", "not_found", speech);
    assertNothingAfterRemoval(room, "banned");
    byAnn("DELETE", ban, new JsonObject());
    byAnn("PUT", "/v1/rooms/" + room + "/members/" + bob.accountId(), new JsonObject());
    assertThat(speech.say("back").getString("type")).isEqualTo("message.ack");
  }

  @RepeatedTest(RACES)
  void nothingOfAMutedMemberFollowsTheMute() throws InterruptedException {
    String room = group();
    String mute = "/v1/rooms/" + room + "/mutes/" + bob.accountId();
    Speech speech = new Speech(room);
    byAnn("PUT", mute, new JsonObject().put("until", LATER));
    assertSaidOnlyBefore("member.muted", "muted", speech);
    byAnn("DELETE", mute, new JsonObject());
    assertThat(speech.say("back").getString("type")).isEqualTo("message.ack");
  }

  /// Bob sends in a room faster than he is answered, until he is told to stop.
  private final class Speech {
    private final String room;
    private final Map<String, CompletableFuture<JsonObject>> answers = new HashMap<>();
    private final Semaphore free = new Semaphore(UNDER_WAY);
    private final AtomicBoolean refused = new AtomicBoolean();
    private final Thread speaker;

    Speech(String room) throws InterruptedException {
      this.room = room;
      CountDownLatch heard = new CountDownLatch(UNDER_WAY);
      speaker = Thread.ofVirtual().start(() -> speak(heard));
      assertThat(heard.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void speak(CountDownLatch heard) {
      for (int i = 0; !refused.get(); i++) {
        free.acquireUninterruptibly();
        String clientId = room + "-" + i;
        CompletableFuture<JsonObject> answer = his.send(room, clientId, "words");
        answers.put(clientId, answer);
        answer.thenAccept(
            told -> {
              free.release();
              heard.countDown();
              if (told.getString("type").equals("error")) {
                refused.set(true);
              }
            });
      }
    }

    /// All that was said, with what it was answered; he has been refused by now.
    Map<String, JsonObject> answers() throws InterruptedException {
      assertThat(speaker.join(PATIENCE)).isTrue();
      assertThat(say("late").getString("type")).isEqualTo("error");
      Map<String, JsonObject> told = new HashMap<>();
      answers.forEach((clientId, answer) -> told.put(clientId, ChatClient.get(answer)));
      return told;
    }

    JsonObject say(String clientId) {
      CompletableFuture<JsonObject> answer = his.send(room, room + clientId, "words");
      answers.put(room + clientId, answer);
      return ChatClient.get(answer);
    }
  }

  private void assertSaidOnlyBefore(String ending, String refusal, Speech speech)
      throws InterruptedException {
    Map<String, Long> told = new HashMap<>();
    speech
        .answers()
        .forEach(
            (clientId, answer) -> {
              if (answer.getString("type").equals("message.ack")) {
                told.put(clientId, answer.getLong("rev"));
              } else {
                assertThat(answer.getString("code")).isEqualTo(refusal);
                assertThat(answer.getString("client_id")).isEqualTo(clientId);
                assertThat(answer.containsKey("retry_after_ms")).isEqualTo(refusal.equals("muted"));
              }
            });
    List<JsonObject> log = log(speech.room);
    assertThat(told(log)).isEqualTo(told).hasSizeGreaterThanOrEqualTo(UNDER_WAY);
    assertThat(log.getLast().getString("kind")).isEqualTo(ending);
    hers.awaitRev(speech.room, log.getLast().getLong("rev"));
    assertThat(told(hers.events(speech.room))).isEqualTo(told);
    assertThat(hers.events(speech.room).getLast().getString("kind")).isEqualTo(ending);
  }

  private List<JsonObject> log(String room) {
    List<JsonObject> log = new ArrayList<>();
    JsonObject page;
    do {
      long after = log.isEmpty() ? 0 : log.getLast().getLong("rev");
      page =
          byAnn(
              "GET", "/v1/rooms/" + room + "/events?epoch=1&after_rev=" + after, new JsonObject());
      page.getJsonArray("events").forEach(event -> log.add((JsonObject) event));
    } while (page.getBoolean("has_more"));
    return log;
  }

  /// The rev of each message.
  private static Map<String, Long> told(List<JsonObject> events) {
    Map<String, Long> revs = new HashMap<>();
    for (JsonObject event : events) {
      if (event.getString("type").equals("message.receive")) {
        revs.put(event.getString("client_id"), event.getLong("rev"));
      }
    }
    return revs;
  }

  /// He receives nothing of the room after the event that put him out, and never his own leaving.
  private void assertNothingAfterRemoval(String room, String reason) {
    JsonObject left = hers.events(room).getLast();
    assertThat(left.getString("reason")).isEqualTo(reason);
    assertThat(left.getString("account_id")).isEqualTo(bob.accountId());
    JsonObject said = ChatClient.get(hers.send(room, room + "after", "he is gone"));
    hers.awaitRev(room, said.getLong("rev"));
    await().pollInterval(Duration.ofMillis(10)).until(() -> !removals(room).isEmpty());
    assertThat(removals(room)).extracting(f -> f.getString("reason")).containsExactly(reason);
    assertThat(his.events(room)).allMatch(event -> event.getLong("rev") < left.getLong("rev"));
  }

  private List<JsonObject> removals(String room) {
    return his.frames("room.removed").stream()
        .filter(frame -> room.equals(frame.getString("room_id")))
        .toList();
  }
}
