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
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What was received and read in a room of Ann, on one node, and Bob, on the other.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MarkersIT {
  private Nodes nodes;
  private Person ann;
  private Person bob;
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
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void open(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    room = group(bob.accountId());
    a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
  }

  @AfterEach
  void close() {
    a.cut();
    b.cut();
  }

  private ApiClient atAnns() {
    return ann.at(nodes.port(0));
  }

  private ApiClient atBobs() {
    return bob.at(nodes.port(1));
  }

  private String group(String... members) {
    return atAnns()
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", name)
                .put("members", new JsonArray(List.of(members))))
        .getString("room_id");
  }

  /// Answers the seq of the last message.
  private long annSays(int times) {
    JsonObject ack = new JsonObject();
    for (int i = 0; i < times; i++) {
      ack = ChatClient.get(a.send(room, name + said++, "Hello"));
    }
    b.awaitRev(room, ack.getLong("rev"));
    return ack.getLong("seq");
  }

  private JsonObject about(String type, long seq) {
    return new JsonObject().put("type", type).put("room_id", room).put("seq", seq);
  }

  private static void done(JsonObject answer) {
    assertThat(answer.getString("type")).as(answer.encode()).isEqualTo("ok");
  }

  private List<JsonObject> receipts(ChatClient client) {
    return client.frames("message.ack").stream()
        .filter(ack -> room.equals(ack.getString("room_id")))
        .filter(ack -> !ack.getString("status").equals("sent"))
        .toList();
  }

  private JsonObject listed(ApiClient api) {
    return api.ok("GET", "/v1/rooms", null).getJsonArray("rooms").stream()
        .map(JsonObject.class::cast)
        .filter(listed -> listed.getString("room_id").equals(room))
        .findFirst()
        .orElseThrow();
  }

  private List<JsonObject> frames(ChatClient client, String type) {
    return client.frames(type).stream()
        .filter(frame -> room.equals(frame.getString("room_id")))
        .toList();
  }

  private JsonObject awaited(ChatClient client, String type) {
    await().until(() -> !frames(client, type).isEmpty());
    return frames(client, type).getLast();
  }

  private List<JsonObject> markers(ChatClient client, Person of) {
    return frames(client, "marker").stream()
        .filter(marker -> of.accountId().equals(marker.getString("account_id")))
        .toList();
  }

  private static boolean is(List<JsonObject> markers, String name, long seq) {
    return markers.stream().anyMatch(marker -> marker.getLong(name, 0L) == seq);
  }

  /// Bob reads what Ann says until she sees his marker move: a word of it may be lost.
  private void bobReadsUntilAnnSees(String name) {
    await()
        .until(
            () -> {
              long seq = annSays(1);
              done(b.ask(about("read", seq)));
              return Patience.soon(() -> is(markers(a, bob), name, seq));
            });
  }

  @Test
  void readingOnOneDeviceClearsTheOthersAlsoThoseThatComeLater() {
    Person phone = bob.onAnotherDevice(nodes.port(0));
    ChatClient other = ChatClient.live(nodes.vertx(), nodes.port(0), phone.token());
    annSays(3);
    assertThat(listed(atBobs()).getLong("unread")).isEqualTo(3);
    assertThat(listed(atBobs()).getLong("read_seq")).isZero();

    done(b.ask(about("read", 3)));
    await().until(() -> is(markers(other, bob), "read_seq", 3));
    assertThat(awaited(other, "unread")).isEqualTo(awaited(b, "unread"));
    assertThat(awaited(b, "unread").getLong("unread")).isZero();

    ChatClient later =
        ChatClient.hello(nodes.vertx(), nodes.port(0), bob.onAnotherDevice(nodes.port(0)).token());
    JsonObject welcomed =
        later.welcome().getJsonArray("rooms").stream()
            .map(JsonObject.class::cast)
            .filter(r -> r.getString("room_id").equals(room))
            .findFirst()
            .orElseThrow();
    assertThat(welcomed.getLong("read_seq")).isEqualTo(3);
    assertThat(welcomed.getBoolean("receipts")).isTrue();
    assertThat(listed(atBobs()).getLong("unread")).isZero();
    later.cut();
    await().until(() -> onlyOthersAreToldOfWhatIsRead(other));
    other.cut();
  }

  /// A session that missed a signal compares, and is told of all that moved.
  private boolean onlyOthersAreToldOfWhatIsRead(ChatClient other) {
    long seq = annSays(1);
    done(b.ask(about("read", seq)));
    await().until(() -> is(markers(other, bob), "read_seq", seq));
    return !is(markers(b, bob), "read_seq", seq);
  }

  @Test
  void whoSentLearnsTheHighestThatWasReceivedAndRead() {
    annSays(3);
    done(b.ask(about("delivered", 2)));
    await().until(() -> receipts(a).size() == 1);
    done(b.ask(about("delivered", 1)));
    done(b.ask(about("read", 3)));
    await().until(() -> receipts(a).size() == 2);
    assertThat(receipts(a))
        .extracting(r -> r.getString("status") + r.getLong("seq"))
        .containsExactly("delivered2", "read3");
    assertThat(receipts(b)).isEmpty();
    bobReadsUntilAnnSees("read_seq");
  }

  @Test
  void receiptsAreRightAfterAnAbsence() {
    annSays(4);
    a.cut();
    done(b.ask(about("read", 2)));
    done(b.ask(about("delivered", 4)));

    a = ChatClient.live(nodes.vertx(), nodes.port(1), ann.token());
    await().until(() -> receipts(a).size() == 2);
    assertThat(receipts(a))
        .extracting(r -> r.getString("status") + r.getLong("seq"))
        .containsExactly("delivered4", "read2");
    await().until(() -> !markers(a, ann).isEmpty());
  }

  @Test
  void aMessageMarkedUnreadIsUnreadUntilItIsReadAgain() {
    annSays(5);
    done(b.ask(about("read", 5)));
    done(b.ask(about("mark_unread", 4)));
    JsonObject listed = listed(atBobs());
    assertThat(listed.getLong("unread")).isEqualTo(2);
    assertThat(listed.getLong("unread_from")).isEqualTo(4);
    assertThat(listed.getLong("read_seq")).isEqualTo(5);
    JsonObject page =
        atBobs().ok("GET", "/v1/rooms/" + room + "/messages?anchor=first_unread&limit=2", null);
    assertThat(page.getJsonArray("messages").stream().map(m -> ((JsonObject) m).getLong("seq")))
        .containsExactly(3L, 4L);

    done(b.ask(about("read", 3)));
    assertThat(listed(atBobs()).getLong("unread")).isEqualTo(2);
    JsonObject marker =
        atBobs().ok("PUT", "/v1/rooms/" + room + "/read", new JsonObject().put("seq", 4));
    assertThat(marker.getLong("read_seq")).isEqualTo(5);
    assertThat(marker.containsKey("unread_from")).isFalse();
    assertThat(listed(atBobs()).getLong("unread")).isZero();
  }

  @Test
  void ownMessagesAndDeletedOnesAreNotUnread() {
    annSays(2);
    ChatClient.get(b.send(room, name + "own", "Mine"));
    assertThat(listed(atBobs()).getLong("unread")).isEqualTo(2);
    assertThat(listed(atBobs()).getLong("read_seq")).isZero();
    done(ChatClient.get(a.delete(room, 1)));
    await().until(() -> awaited(b, "unread").getLong("unread") == 1);
    assertThat(
            atBobs().ok("GET", "/v1/unread", null).getJsonArray("rooms").stream()
                .map(JsonObject.class::cast)
                .filter(r -> r.getString("room_id").equals(room))
                .map(r -> r.getLong("unread")))
        .containsExactly(1L);
  }

  @Test
  void whoHasReadAMessageIsToldToWhoAsks() {
    annSays(2);
    done(b.ask(about("read", 1)));
    String readers = "/v1/rooms/" + room + "/readers?seq=";
    assertThat(atAnns().ok("GET", readers + 1, null).getJsonArray("readers"))
        .containsExactly(new JsonObject().put("account_id", bob.accountId()).put("read_seq", 1));
    assertThat(atAnns().ok("GET", readers + 2, null).getJsonArray("readers")).isEmpty();
    assertThat(atAnns().call("GET", readers + 3, null).status()).isEqualTo(404);
    assertThat(atAnns().call("GET", "/v1/rooms/" + room + "/readers", null).code())
        .isEqualTo("invalid_field");

    Person late = ApiClient.person(nodes.port(0), "late", "L");
    atAnns().ok("PUT", "/v1/rooms/" + room + "/members/" + late.accountId(), null);
    assertThat(listed(late.at(nodes.port(0))).getLong("read_seq")).isEqualTo(2);
    assertThat(atAnns().ok("GET", readers + 2, null).getJsonArray("readers"))
        .as("those who joined later have not read it")
        .isEmpty();
  }

  @Test
  void whoReadsInPrivateTellsNobodyWhatTheyRead() {
    annSays(2);
    atBobs().ok("PATCH", "/v1/me", new JsonObject().put("private_reading", true));
    try {
      done(b.ask(about("read", 2)));
      await().until(() -> receipts(a).size() == 1);
      assertThat(receipts(a).getFirst().getString("status")).isEqualTo("delivered");
      bobReadsUntilAnnSees("delivered_seq");
      assertThat(markers(a, bob)).noneMatch(marker -> marker.containsKey("read_seq"));
      assertThat(
              atAnns()
                  .ok("GET", "/v1/rooms/" + room + "/readers?seq=1", null)
                  .getJsonArray("readers"))
          .isEmpty();
    } finally {
      atBobs().ok("PATCH", "/v1/me", new JsonObject().put("private_reading", false));
    }
  }

  @Test
  void nobodySeesWhenSomebodyReadsInPrivateOrMarksUnread() {
    atBobs().ok("PATCH", "/v1/me", new JsonObject().put("private_reading", true));
    try {
      await().until(this::annSeesNoMoreThanWhatArrives);
    } finally {
      atBobs().ok("PATCH", "/v1/me", new JsonObject().put("private_reading", false));
    }
  }

  /// Whether she sees all of that: a word of it may be lost.
  private boolean annSeesNoMoreThanWhatArrives() {
    int before = markers(a, bob).size();
    long last = annSays(3);
    done(b.ask(about("delivered", last - 1)));
    done(b.ask(about("read", last - 1)));
    done(b.ask(about("mark_unread", last - 2)));
    done(b.ask(about("delivered", last)));
    boolean seen = Patience.soon(() -> is(markers(a, bob), "delivered_seq", last));
    List<Long> shown =
        markers(a, bob).stream()
            .skip(before)
            .map(m -> m.getLong("delivered_seq"))
            .filter(seq -> seq > last - 3) // what is older may come late
            .toList();
    assertThat(shown).isSubsetOf(last - 1, last).doesNotHaveDuplicates();
    return seen && shown.size() == 2;
  }

  @Test
  void aRoomOfMoreThanThirtyTwoHasNoReceipts() {
    List<String> crowd =
        IntStream.range(0, 31)
            .mapToObj(i -> ApiClient.person(nodes.port(0), "crowd" + i, "C").accountId())
            .toList();
    crowd.forEach(each -> atAnns().ok("PUT", "/v1/rooms/" + room + "/members/" + each, null));
    annSays(1);
    JsonObject crossing =
        b.events(room).stream()
            .filter(e -> "member.joined".equals(e.getString("kind")) && e.containsKey("receipts"))
            .findFirst()
            .orElseThrow();
    assertThat(crossing.getString("account_id")).isEqualTo(crowd.getLast());
    assertThat(crossing.getBoolean("receipts")).isFalse();
    assertThat(listed(atBobs()).getBoolean("receipts")).isFalse();
    assertThat(b.ask(about("delivered", 1)).getString("code")).isEqualTo("conflict");
    done(b.ask(about("read", 1)));

    atAnns().ok("DELETE", "/v1/rooms/" + room + "/members/" + crowd.getFirst(), null);
    await()
        .until(
            () ->
                b.events(room).stream()
                    .anyMatch(e -> Objects.equals(true, e.getBoolean("receipts"))));
    ChatClient.get(a.send(room, name + "again", "Hello again"));
    done(b.ask(about("delivered", 2)));
    await()
        .untilAsserted(
            () ->
                assertThat(receipts(a))
                    .extracting(r -> r.getString("status") + r.getLong("seq"))
                    .containsExactlyInAnyOrder("delivered2", "read1"));
  }

  @Test
  void whatIsWrongIsSaidAndNamed() {
    annSays(1);
    JsonObject beyond = b.ask(about("read", 2));
    assertThat(beyond.getString("code")).isEqualTo("invalid_field");
    assertThat(beyond.getString("field")).isEqualTo("seq");
    assertThat(b.ask(about("read", 0)).getString("field")).isEqualTo("seq");
    String foreign =
        atAnns()
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "Hers"))
            .getString("room_id");
    String channel = atAnns().channel("Open " + name);
    assertThat(b.ask(about("read", 1).put("room_id", foreign)).getString("code"))
        .isEqualTo("not_found");
    assertThat(b.ask(about("mark_unread", 1).put("room_id", channel)).getString("code"))
        .isEqualTo("forbidden");
    assertThat(listed(atBobs()).getLong("unread")).isEqualTo(1);
  }
}
