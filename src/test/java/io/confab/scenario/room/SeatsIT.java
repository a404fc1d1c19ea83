package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.RoomId;
import io.confab.redis.RedisKeys;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestServers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Ann owns a room with one seat; Bob, Cleo and Dan want to be inside.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeatsIT {
  private static final int UNAVAILABLE = 503;

  private Nodes nodes;
  private Person ann;
  private Person bob;
  private Person cleo;
  private Person dan;
  private String room;
  private final List<ChatClient> clients = new ArrayList<>();

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    cleo = ApiClient.person(nodes.port(1), "cleo", "Cleo");
    dan = ApiClient.person(nodes.port(0), "dan", "Dan");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void open(TestInfo test) {
    JsonArray members = new JsonArray();
    Stream.of(bob, cleo, dan).map(Person::accountId).forEach(members::add);
    room =
        at(ann)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", test.getTestMethod().orElseThrow().getName())
                    .put("capacity", 1)
                    .put("members", members))
            .getString("room_id");
  }

  @AfterEach
  void close() {
    clients.forEach(ChatClient::cut);
    clients.clear();
    Stream.of(ann, bob, cleo, dan).forEach(who -> call(who, "DELETE", seats("me"), null));
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  private String path(String rest) {
    return "/v1/rooms/" + room + rest;
  }

  private String seats(String who) {
    return path("/seats/" + who);
  }

  private ChatClient live(Person person) {
    ChatClient client =
        ChatClient.live(nodes.vertx(), nodes.port(clients.size() % 2), person.token());
    clients.add(client);
    return client;
  }

  private JsonObject enter(ChatClient client) {
    return ask(client, "room.enter");
  }

  private JsonObject exit(ChatClient client) {
    return ask(client, "room.exit");
  }

  private JsonObject ask(ChatClient client, String type) {
    JsonObject frame = new JsonObject().put("type", type).put("room_id", room);
    return untilKnown(() -> client.ask(frame));
  }

  /// Asks again while it is not known whether seats are there: what a node knows of that is over
  /// when the machine has stood still for some seconds.
  private static JsonObject untilKnown(Callable<JsonObject> question) {
    return await().until(question, answer -> !"unavailable".equals(answer.getString("code")));
  }

  private Answer call(Person person, String method, String path, @Nullable JsonObject body) {
    return await()
        .until(() -> at(person).call(method, path, body), answer -> answer.status() != UNAVAILABLE);
  }

  private JsonObject ok(Person person, String method, String path, @Nullable JsonObject body) {
    Answer answer = call(person, method, path, body);
    assertThat(answer.status()).as("%s %s: %s", method, path, answer).isLessThan(300);
    return answer.body();
  }

  private JsonObject enter(Person person) {
    return ok(person, "POST", path("/seats"), null);
  }

  /// The frames of this type about the room of this test: what became of another may come late.
  private List<JsonObject> told(ChatClient client, String type) {
    return client.frames(type).stream().filter(f -> room.equals(f.getString("room_id"))).toList();
  }

  private JsonObject awaitTold(ChatClient client, String type) {
    return await().until(() -> told(client, type), told -> !told.isEmpty()).getFirst();
  }

  /// Has silence take nothing of an account that has a seat.
  private void neverLate(Person person) {
    RedisKeys keys = new RedisKeys(nodes.config().redis().keyPrefix());
    Request checkIn = Request.cmd(Command.ZADD).arg(keys.seats(RoomId.parse(room)).get(2));
    Redis redis = Redis.createClient(nodes.vertx(), TestServers.redis());
    checkIn.arg("XX").arg("CH").arg(Long.MAX_VALUE >> 10).arg(person.accountId());
    assertThat(redis.send(checkIn).await().toInteger()).isOne();
    redis.close();
  }

  private static String type(JsonObject frame) {
    return frame.getString("type");
  }

  private String send(ChatClient client, String id) {
    JsonObject answer = client.say(room, id + room, "words " + id);
    return answer.containsKey("code") ? answer.getString("code") : type(answer);
  }

  private static String code(Answer answer) {
    return answer.status() < 300 ? "ok" : answer.body().getJsonObject("error").getString("code");
  }

  private Answer post(Person person, String id) {
    return call(
        person,
        "POST",
        path("/messages"),
        new JsonObject().put("client_id", id + room).put("body", "words " + id));
  }

  private long seq(Answer answer) {
    return answer.body().getLong("seq");
  }

  @Test
  void theRoomSaysWhatItIs() {
    JsonObject seen = ok(bob, "GET", path(""), null);
    assertThat(seen.getInteger("capacity")).isEqualTo(1);
    assertThat(seen.getBoolean("read_outside")).isFalse();
    JsonObject changed = ok(ann, "PATCH", path(""), new JsonObject().put("capacity", 0));
    assertThat(changed.fieldNames()).doesNotContain("capacity", "read_outside");
    assertThat(code(call(bob, "POST", path("/seats"), null))).isEqualTo("invalid_field");
    assertThat(code(call(bob, "PATCH", path(""), new JsonObject().put("capacity", 5))))
        .isEqualTo("forbidden");
  }

  @Test
  void theFirstIsInsideTheOthersWaitAndGoInByThemselves() {
    ChatClient b = live(bob);
    ChatClient c = live(cleo);
    ChatClient d = live(dan);
    JsonObject inside = enter(b);
    assertThat(type(inside)).isEqualTo("seat.inside");
    assertThat(inside.getLong("capacity")).isEqualTo(1);
    JsonObject waits = enter(c);
    assertThat(type(waits)).isEqualTo("seat.waiting");
    assertThat(waits.getLong("position")).isEqualTo(1);
    assertThat(waits.getLong("ahead")).isZero();
    assertThat(type(enter(c))).isEqualTo("seat.waiting");
    assertThat(enter(d).getLong("ahead")).isEqualTo(1);
    assertThat(send(b, "b1")).isEqualTo("message.ack");
    assertThat(send(c, "c1")).isEqualTo("no_seat");
    assertThat(type(exit(b))).isEqualTo("ok");
    awaitTold(c, "seat.inside");
    assertThat(send(c, "c1")).isEqualTo("message.ack");
    assertThat(send(b, "b2")).isEqualTo("no_seat");
    assertThat(send(b, "b1")).isEqualTo("message.ack");
    await().until(() -> told(d, "seat.waiting").stream().anyMatch(f -> f.getLong("position") == 1));
    assertThat(told(d, "seat.inside")).isEmpty();
  }

  @Test
  void fromOutsideNothingIsSaidAndNothingIsRead() {
    assertThat(type(enter(ann))).isEqualTo("seat.inside");
    neverLate(ann);
    long seq = seq(post(ann, "a1"));
    assertThat(code(post(bob, "b1"))).isEqualTo("no_seat");
    String message = path("/messages/" + seq);
    for (String read :
        List.of(
            path("/messages"),
            path("/export"),
            message,
            message + "/versions",
            path("/readers?seq=" + seq),
            path("/events?epoch=1&after_rev=0"))) {
      assertThat(code(call(bob, "GET", read, null))).as(read).isEqualTo("no_seat");
    }
    assertThat(code(call(ann, "GET", path("/messages"), null))).isEqualTo("ok");
    assertThat(code(call(ann, "DELETE", message, null))).isEqualTo("ok");
    JsonObject change = new JsonObject().put("client_id", "e1" + room).put("body", "x");
    assertThat(code(call(bob, "PATCH", message, change))).isEqualTo("no_seat");
    assertThat(code(call(bob, "DELETE", message, null))).isEqualTo("no_seat");
    ChatClient b = live(bob);
    assertThat(ask(b, "typing").getString("code")).isEqualTo("no_seat");
    post(ann, "a2");
    JsonObject listed =
        ok(bob, "GET", "/v1/rooms?limit=200", null).getJsonArray("rooms").stream()
            .map(JsonObject.class::cast)
            .filter(r -> r.getString("room_id").equals(room))
            .findFirst()
            .orElseThrow();
    assertThat(listed.containsKey("last_message")).isFalse();
    assertThat(listed.getLong("unread")).isEqualTo(1);
  }

  @Test
  void theStreamOfOneOutsideStandsStillAndGoesOnFromThere() {
    ChatClient a = live(ann);
    ChatClient b = live(bob);
    assertThat(type(enter(a))).isEqualTo("seat.inside");
    for (int i = 0; i < 3; i++) {
      assertThat(send(a, "a" + i)).isEqualTo("message.ack");
    }
    await().until(() -> a.bodies(room).size() == 3);
    assertThat(type(enter(b))).isEqualTo("seat.waiting");
    assertThat(b.events(room)).isEmpty();
    exit(a);
    awaitTold(b, "seat.inside");
    await().until(() -> b.bodies(room).size() == 3);
    List<Long> revs = b.events(room).stream().map(f -> f.getLong("rev")).toList();
    assertThat(revs).containsExactly(5L, 6L, 7L);
    assertThat(send(b, "b0")).isEqualTo("message.ack");
    await().until(() -> b.bodies(room).size() == 4);
    assertThat(a.bodies(room)).hasSize(3);
  }

  @Test
  void whoMayReadFromOutsideReadsAndSendsNothing() {
    ChatClient a = live(ann);
    ChatClient b = live(bob);
    enter(a);
    send(a, "a0");
    ok(ann, "PATCH", path(""), new JsonObject().put("read_outside", true));
    await().until(() -> b.bodies(room).size() == 1);
    send(a, "a1");
    await().until(() -> b.bodies(room).size() == 2);
    assertThat(send(b, "b0")).isEqualTo("no_seat");
    assertThat(code(call(bob, "GET", path("/messages"), null))).isEqualTo("ok");
    ok(ann, "PATCH", path(""), new JsonObject().put("read_outside", false));
    await().until(() -> b.events(room).getLast().containsKey("settings"));
    send(a, "a2");
    assertThat(code(call(bob, "GET", path("/messages"), null))).isEqualTo("no_seat");
    ok(ann, "PATCH", path(""), new JsonObject().put("capacity", 0));
    await().until(() -> b.bodies(room).size() == 3);
    assertThat(send(b, "b0")).isEqualTo("message.ack");
  }

  @Test
  void archivingEndsTheCapAndRemovalIsHeardOutside() {
    ChatClient b = live(bob);
    ChatClient c = live(cleo);
    ChatClient d = live(dan);
    enter(b);
    enter(d);
    ok(ann, "DELETE", path("/members/" + cleo.accountId()), null);
    awaitTold(c, "room.removed");
    ok(ann, "DELETE", path(""), null);
    awaitTold(b, "seat.lost");
    awaitTold(d, "seat.lost");
    assertThat(told(d, "seat.inside")).isEmpty();
    await()
        .until(
            () ->
                b.events(room).stream().anyMatch(f -> "room.archived".equals(f.getString("kind"))));
  }

  @Test
  void aNewSessionTakesTheSeatUpAfterResumed() {
    ChatClient b = live(bob);
    ChatClient c = live(cleo);
    enter(b);
    enter(c);
    b.cut();
    ChatClient again = live(bob);
    JsonObject inside = awaitTold(again, "seat.inside");
    JsonObject resumed = again.awaitFrame("resumed");
    assertThat(again.frames()).containsSubsequence(resumed, inside);
    assertThat(send(again, "b1")).isEqualTo("message.ack");
    assertThat(told(c, "seat.inside")).isEmpty();
  }

  @Test
  void whoDoesNotComeBackGivesTheSeatToTheNext() {
    ChatClient b = live(bob);
    ChatClient c = live(cleo);
    enter(b);
    enter(c);
    b.cut();
    awaitTold(c, "seat.inside");
    assertThat(send(c, "c1")).isEqualTo("message.ack");
  }

  @Test
  void whoPollsIsOfferedTheSeatAndTakesItUp() {
    ChatClient b = live(bob);
    enter(b);
    assertThat(type(enter(cleo))).isEqualTo("seat.waiting");
    exit(b);
    await().until(() -> type(enter(cleo)).equals("seat.inside"));
    assertThat(code(post(cleo, "c1"))).isEqualTo("ok");
    assertThat(code(post(bob, "b1"))).isEqualTo("no_seat");
    assertThat(call(cleo, "DELETE", seats("me"), null).status()).isEqualTo(204);
    assertThat(code(post(cleo, "c2"))).isEqualTo("no_seat");
  }

  @Test
  void whoIsNoMemberAnyMoreHasNoSeatHoweverItWasHeld() {
    ChatClient b = live(bob);
    assertThat(type(enter(cleo))).isEqualTo("seat.inside");
    neverLate(cleo);
    enter(b);
    ok(ann, "DELETE", path("/members/" + cleo.accountId()), null);
    awaitTold(b, "seat.inside");
    neverLate(bob);
    ChatClient d = live(dan);
    enter(d);
    ok(ann, "PUT", path("/bans/" + bob.accountId()), new JsonObject());
    awaitTold(d, "seat.inside");
    awaitTold(b, "room.removed");
  }

  @Test
  void ownersLetInRemoveAndSeeWhoWaits() {
    ChatClient b = live(bob);
    ChatClient c = live(cleo);
    ChatClient d = live(dan);
    enter(b);
    enter(c);
    enter(d);
    assertThat(code(call(cleo, "PUT", seats(cleo.accountId()), null))).isEqualTo("forbidden");
    ok(ann, "PUT", seats(dan.accountId()), null);
    JsonObject all = ok(ann, "GET", path("/seats"), null);
    assertThat(all.getLong("inside")).isEqualTo(1);
    assertThat(all.getJsonArray("waiting_list")).containsExactly(dan.accountId(), cleo.accountId());
    JsonObject few = ok(cleo, "GET", path("/seats"), null);
    assertThat(few.fieldNames()).containsExactlyInAnyOrder("inside", "capacity", "waiting");
    assertThat(call(ann, "DELETE", seats(bob.accountId()), null).status()).isEqualTo(204);
    assertThat(awaitTold(b, "seat.lost").getString("reason")).isEqualTo("removed");
    awaitTold(d, "seat.inside");
    assertThat(told(c, "seat.inside")).isEmpty();
  }

  @Test
  void aHigherCapacityLetsTheNextInAndALowerOneThrowsNobodyOut() {
    ChatClient b = live(bob);
    ChatClient c = live(cleo);
    ChatClient d = live(dan);
    enter(b);
    enter(c);
    ok(ann, "PATCH", path(""), new JsonObject().put("capacity", 2));
    awaitTold(c, "seat.inside");
    ok(ann, "PATCH", path(""), new JsonObject().put("capacity", 1));
    assertThat(type(enter(d))).isEqualTo("seat.waiting");
    assertThat(send(b, "b1")).isEqualTo("message.ack");
    assertThat(send(c, "c1")).isEqualTo("message.ack");
    exit(b);
    assertThat(ok(ann, "GET", path("/seats"), null).getLong("inside")).isEqualTo(1);
    assertThat(told(d, "seat.inside")).isEmpty();
    exit(c);
    awaitTold(d, "seat.inside");
  }
}
