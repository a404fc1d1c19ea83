package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A room that shows only what is said while one is in it, by every way of reading.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SinceJoinIT {
  private Nodes nodes;
  private Person ann;
  private Person bob;
  private String room = "";

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private String make(String name) {
    return ann.at(nodes.port(0))
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject().put("type", "channel").put("name", name).put("history", "since_join"))
        .getString("room_id");
  }

  private void say(String... bodies) {
    for (String body : bodies) {
      ann.at(nodes.port(0))
          .ok(
              "POST",
              "/v1/rooms/" + room + "/messages",
              new JsonObject().put("client_id", room + body).put("body", body));
    }
  }

  private List<String> read(Person person, String query) {
    return person
        .at(nodes.port(1))
        .ok("GET", "/v1/rooms/" + room + "/messages" + query, null)
        .getJsonArray("messages")
        .stream()
        .map(message -> ((JsonObject) message).getString("body"))
        .toList();
  }

  private static List<String> told(Stream<JsonObject> events) {
    return events
        .map(
            event ->
                event.getLong("rev") + " " + event.getString("body", event.getString("kind", "?")))
        .toList();
  }

  private List<String> log(Person person, String room) {
    JsonArray events =
        person
            .at(nodes.port(1))
            .ok("GET", "/v1/rooms/" + room + "/events?epoch=1&after_rev=0", null)
            .getJsonArray("events");
    return told(events.stream().map(JsonObject.class::cast));
  }

  private static JsonObject last(String export) {
    return new JsonObject(export.lines().toList().getLast());
  }

  @Test
  void oneMessageIsReadByWhomTheHistoryShowsIt() {
    room = make("One");
    say("before");
    bob.at(nodes.port(0)).ok("POST", "/v1/rooms/" + room + "/join", null);
    say("after");
    ApiClient anns = ann.at(nodes.port(1));
    ApiClient bobs = bob.at(nodes.port(1));
    String messages = "/v1/rooms/" + room + "/messages/";

    assertThat(anns.ok("GET", messages + 1, null).getString("body")).isEqualTo("before");
    assertThat(bobs.call("GET", messages + 1, null).code()).isEqualTo("not_found");
    assertThat(bobs.ok("GET", messages + 2, null).getString("body")).isEqualTo("after");
    anns.ok("DELETE", messages + 2, null);
    assertThat(bobs.ok("GET", messages + 2, null).fieldNames())
        .contains("deleted_at", "deleted_by")
        .doesNotContain("body");
    for (String none : List.of("3", "9223372036854775807")) {
      assertThat(anns.call("GET", messages + none, null).status()).isEqualTo(404);
    }
  }

  @Test
  void aMemberSeesWhatWasSaidWhileItWasInTheRoom() {
    room = make("Here and now");
    say("before");
    bob.at(nodes.port(1)).join(room);
    ChatClient live = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    say("first", "second");
    live.awaitRev(room, 5);
    bob.at(nodes.port(0)).ok("DELETE", "/v1/rooms/" + room + "/members/me", null);
    live.awaitFrame("room.removed");
    say("meanwhile");
    bob.at(nodes.port(0)).join(room);
    live.awaitFrame("room.added");
    say("again");
    live.awaitRev(room, 9);

    assertThat(told(live.events(room).stream())).containsExactly("4 first", "5 second", "9 again");
    assertThat(read(bob, "")).containsExactly("first", "second", "again");
    assertThat(read(bob, "?anchor=oldest&limit=1")).containsExactly("first");
    assertThat(read(bob, "?before=3&limit=10")).containsExactly("first");
    assertThat(read(bob, "?around=4&limit=4")).containsExactly("first", "second", "again");
    assertThat(read(ann, "")).containsExactly("before", "first", "second", "meanwhile", "again");
    List<String> whole =
        List.of(
            "1 hidden",
            "2 hidden",
            "3 member.joined",
            "4 first",
            "5 second",
            "6 member.left",
            "7 hidden",
            "8 member.joined",
            "9 again");
    assertThat(log(bob, room)).isEqualTo(whole);

    ChatClient resumed = ChatClient.hello(nodes.vertx(), nodes.port(0), bob.token());
    resumed.resume(true, ChatClient.point(room, 1, 0));
    resumed.awaitRev(room, 9);
    assertThat(told(resumed.events(room).stream())).isEqualTo(whole);

    String export = bob.at(nodes.port(0)).text("/v1/rooms/" + room + "/export");
    assertThat(export.lines().map(line -> new JsonObject(line).getString("body", "end")))
        .containsExactly("first", "second", "again", "end");
    assertThat(last(export))
        .isEqualTo(
            new JsonObject()
                .put("end", true)
                .put("epoch", 1)
                .put("seq", 5)
                .put("rev", 9)
                .put("count", 3));
  }

  @Test
  void anExportOfManyPagesIsWholeAndInOrder() {
    room = make("Long");
    ChatClient live = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    var sends =
        LongStream.rangeClosed(1, 450).mapToObj(i -> live.send(room, "long" + i, "m" + i)).toList();
    sends.forEach(ChatClient::get);
    String export = ann.at(nodes.port(1)).text("/v1/rooms/" + room + "/export");
    List<JsonObject> lines = export.lines().map(JsonObject::new).toList();
    assertThat(lines.stream().limit(450).map(line -> line.getLong("seq")))
        .isEqualTo(LongStream.rangeClosed(1, 450).boxed().toList());
    assertThat(last(export).getLong("count")).isEqualTo(450);
    assertThat(lines).hasSize(451);
  }

  @Test
  void formerMembersReadNothing() {
    room = make("Gone");
    bob.at(nodes.port(0)).join(room);
    bob.at(nodes.port(0)).ok("DELETE", "/v1/rooms/" + room + "/members/me", null);
    for (String path : List.of("/messages", "/events?epoch=1&after_rev=0", "/export")) {
      assertThat(bob.at(nodes.port(1)).call("GET", "/v1/rooms/" + room + path, null).code())
          .isEqualTo("forbidden");
    }
  }
}
