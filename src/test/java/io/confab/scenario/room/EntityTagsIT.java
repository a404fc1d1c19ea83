package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Whoever says which state they have seen changes that state or nothing.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EntityTagsIT {
  private static final int WRITERS = 20;

  private Nodes nodes;
  private int port;
  private Person ada;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    port = nodes.port(0);
    ada = ApiClient.person(port, "ada", "Ada");
    bob = ApiClient.person(port, "bob", "Bob");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private HttpResponse<String> call(
      Person who, String method, String path, @Nullable String body, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("authorization", "Bearer " + who.token());
    return ApiClient.withHeaders(port, all)
        .exchange(method, path, body == null ? null : body.replace('\'', '"'));
  }

  private String tag(String path) {
    return tag(call(ada, "GET", path, null, Map.of()));
  }

  private static String tag(HttpResponse<String> answer) {
    return answer.headers().firstValue("etag").orElseThrow();
  }

  private String room(Person... members) {
    JsonObject room = new JsonObject().put("type", "group").put("name", "Tea");
    room.put("members", List.of(members).stream().map(Person::accountId).toList());
    return "/v1/rooms/" + ada.at(port).ok("POST", "/v1/rooms", room).getString("room_id");
  }

  @Test
  void theTagOfARoomIsThatOfItsSettings() {
    String room = room(bob);
    String first = tag(room);
    bob.at(port)
        .ok("POST", room + "/messages", new JsonObject().put("client_id", "c").put("body", "Hi"));
    bob.at(port).ok("DELETE", room + "/members/me", null);
    assertThat(tag(room)).isEqualTo(first);

    String before = first;
    for (String change :
        List.of(
            "{'name':'Chai'}",
            "{'description':'Hot'}",
            "{'history':'since_join'}",
            "{'slow_mode_s':5}",
            "{'max_members':9}")) {
      HttpResponse<String> changed = call(ada, "PATCH", room, change, Map.of("if-match", before));
      assertThat(changed.statusCode()).as(change).isEqualTo(200);
      assertThat(tag(changed)).as(change).isNotEqualTo(before).isEqualTo(tag(room));
      before = tag(changed);
    }
    assertThat(call(ada, "GET", room, null, Map.of("if-none-match", before)).statusCode())
        .isEqualTo(304);
    ada.at(port).ok("DELETE", room, null);
    assertThat(tag(room)).isNotEqualTo(before);
  }

  @Test
  void ofAllWhoHaveSeenARoomOneChangesIt() {
    String room = room();
    assertOneOfMany(room, "{'name':'N%d'}", "name", "N%d");
  }

  @Test
  void ofAllWhoHaveSeenAnAccountOneChangesIt() {
    assertOneOfMany("/v1/me", "{'display_name':'Ada %d'}", "display_name", "Ada %d");
  }

  private void assertOneOfMany(String path, String body, String field, String value) {
    Map<String, String> seen = Map.of("if-match", tag(path));

    List<HttpResponse<String>> answers =
        IntStream.range(0, WRITERS)
            .parallel()
            .mapToObj(i -> call(ada, "PATCH", path, body.formatted(i), seen))
            .toList();

    List<Integer> statuses = answers.stream().map(HttpResponse::statusCode).toList();
    assertThat(statuses).containsOnlyOnce(200);
    assertThat(statuses).filteredOn(status -> status != 200).containsOnly(412);
    assertThat(ada.at(port).ok("GET", path, null).getString(field))
        .isEqualTo(value.formatted(statuses.indexOf(200)));
  }

  @Test
  void aThingThatHasChangedIsLeftAsItIs() {
    String room = room(bob);
    Map<String, String> stale = Map.of("if-match", "\"stale\"");

    HttpResponse<String> refused = call(ada, "PATCH", room, "{'name':'Lost'}", stale);
    assertThat(refused.statusCode()).isEqualTo(412);
    assertThat(refused.body()).contains("\"precondition_failed\"").contains("\"retryable\":false");
    assertThat(call(ada, "PATCH", "/v1/me", "{'display_name':'Lost'}", stale).statusCode())
        .isEqualTo(412);
    assertThat(ada.at(port).ok("GET", room, null).getString("name")).isEqualTo("Tea");
    assertThat(ada.at(port).ok("GET", "/v1/me", null).getString("display_name"))
        .isNotEqualTo("Lost");
    assertThat(call(bob, "PATCH", room, "{'name':'Lost'}", stale).statusCode())
        .as("who may not change it learns nothing of its state")
        .isEqualTo(403);
  }
}
