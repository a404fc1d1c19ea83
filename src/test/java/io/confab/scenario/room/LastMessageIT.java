package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// The list of rooms tells of each the last message that the caller may see.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LastMessageIT {
  private Nodes nodes;
  private Person ada;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    ada = ApiClient.person(nodes.port(0), "ada", "Ada");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  private String group(String history) {
    return at(ada)
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", "Tea")
                .put("history", history)
                .put("members", new JsonArray().add(bob.accountId())))
        .getString("room_id");
  }

  private void say(String room, String id, String body) {
    at(ada)
        .ok(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", room + id).put("body", body));
  }

  private static @Nullable JsonObject last(ApiClient http, String room) {
    return rooms(http, "/v1/rooms?limit=200").stream()
        .filter(one -> one.getString("room_id").equals(room))
        .findFirst()
        .orElseThrow()
        .getJsonObject("last_message");
  }

  private static List<JsonObject> rooms(ApiClient http, String path) {
    return http.ok("GET", path, null).getJsonArray("rooms").stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static JsonObject inHistory(ApiClient http, String room) {
    JsonArray page =
        http.ok("GET", "/v1/rooms/" + room + "/messages", null).getJsonArray("messages");
    return page.getJsonObject(page.size() - 1);
  }

  @Test
  void itIsTheOneThatHistoryShowsLastAsItIsNow() {
    String room = group("all");
    assertThat(last(at(ada), room)).isNull();

    say(room, "1", "One");
    say(room, "2", "Two");
    assertThat(last(at(bob), room)).isEqualTo(inHistory(at(bob), room)).isNotNull();

    at(ada).ok("DELETE", "/v1/rooms/" + room + "/messages/2", null);
    JsonObject tombstone = Objects.requireNonNull(last(at(bob), room));
    assertThat(tombstone).isEqualTo(inHistory(at(bob), room));
    assertThat(tombstone.containsKey("body")).isFalse();
  }

  @Test
  void whatWasSaidWhileSomebodyWasAwayIsNotTheirs() {
    String room = group("since_join");
    String bobs = "/v1/rooms/" + room + "/members/" + bob.accountId();
    say(room, "1", "Heard");
    at(ada).ok("DELETE", bobs, null);
    say(room, "2", "Not heard");
    at(ada).ok("PUT", bobs, null);

    assertThat(last(at(bob), room)).isEqualTo(inHistory(at(bob), room));
    assertThat(inHistory(at(bob), room).getString("body")).isEqualTo("Heard");
    assertThat(inHistory(at(ada), room)).isEqualTo(last(at(ada), room));

    Person cyd = ApiClient.person(nodes.port(0), "cyd", "Cyd");
    at(ada).ok("PUT", "/v1/rooms/" + room + "/members/" + cyd.accountId(), null);
    assertThat(last(at(cyd), room)).isNull();
    say(room, "3", "For all");
    assertThat(last(at(cyd), room)).isEqualTo(last(at(bob), room)).isNotNull();
  }

  /// Bodies have up to 16 KiB, so that 16 of them fill a page.
  @Test
  void longMessagesEndAPageEarlyAndNoRoomIsLeftOut() {
    Person eve = ApiClient.person(nodes.port(0), "eve", "Eve");
    List<String> made =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    at(eve)
                        .ok(
                            "POST",
                            "/v1/rooms",
                            new JsonObject().put("type", "group").put("name", "G" + i))
                        .getString("room_id"))
            .toList();
    made.forEach(
        room ->
            at(eve)
                .ok(
                    "POST",
                    "/v1/rooms/" + room + "/messages",
                    new JsonObject().put("client_id", room).put("body", "x".repeat(16_384))));

    List<Integer> sizes = new ArrayList<>();
    List<String> found = new ArrayList<>();
    String next = null;
    do {
      String path = "/v1/rooms?limit=30" + (next == null ? "" : "&after=" + next);
      JsonObject page = at(eve).ok("GET", path, null);
      page.getJsonArray("rooms")
          .forEach(room -> found.add(((JsonObject) room).getString("room_id")));
      sizes.add(page.getJsonArray("rooms").size());
      next = page.getString("next");
    } while (next != null);

    assertThat(sizes).containsExactly(16, 16, 8);
    assertThat(found).containsExactlyElementsOf(made.stream().sorted().toList());
  }
}
