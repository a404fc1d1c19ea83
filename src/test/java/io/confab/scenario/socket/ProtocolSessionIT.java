package io.confab.scenario.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.contract.ProtocolText;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The example in docs/protocol.md is what a node says, word for word but for ids and times.
@Timeout(180)
class ProtocolSessionIT {
  private static final Set<String> TIMES =
      Set.of("ts", "server_time", "edited_at", "deleted_at", "expires_in_s");
  private static final Set<String> IDS =
      Set.of(
          "room_id",
          "account_id",
          "session_id",
          "device_id",
          "node_id",
          "sender_id",
          "actor_id",
          "deleted_by");

  /// The ids of the text, and which they are on this node.
  private final Map<String, String> ids = new HashMap<>();

  @Test
  void theExampleIsWhatANodeSays() {
    try (Nodes nodes = Nodes.start(1)) {
      int port = nodes.port(0);
      var ada = ApiClient.person(port, "ada", "Ada");
      var bob = ApiClient.person(port, "bob", "Bob");
      String room = ada.at(port).channel("Example");
      bob.at(port).join(room);
      ada.at(port)
          .ok(
              "POST",
              "/v1/rooms/" + room + "/messages",
              new JsonObject().put("client_id", "m-1").put("body", "Hello, Bob."));
      ids.putAll(
          Map.of(
              "7mrt3fzfqc7hy",
              ada.accountId(),
              "6c4x05rn2qhzt",
              bob.accountId(),
              "eyJ0",
              bob.token(),
              "017rez1p1tv32",
              room));

      ChatClient client = ChatClient.open(nodes.vertx(), port);
      int seen = 0;
      for (Step step : steps()) {
        client.raw(actual(step.request()).encode());
        seen += step.answers().size();
        compare(step, awaitFrames(client, seen, step.answers().size()));
      }

      assertThat(client.closeCode()).isEqualTo((short) 1000);
      assertThat(client.frames()).hasSize(seen);
    }
  }

  /// What the client says, and what comes then.
  private record Step(JsonObject request, List<JsonObject> answers) {}

  private static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (String line : new ProtocolText().block("A session")) {
      JsonObject frame = new JsonObject(line.substring(2));
      if (line.startsWith("C ")) {
        steps.add(new Step(frame, new ArrayList<>()));
      } else {
        steps.getLast().answers().add(frame);
      }
    }
    assertThat(steps).hasSizeGreaterThan(5);
    return steps;
  }

  private static List<JsonObject> awaitFrames(ChatClient client, int all, int last) {
    await().until(() -> client.frames().size() >= all);
    return client.frames().subList(all - last, all);
  }

  /// An answer and the event that it is about may overtake each other.
  private void compare(Step step, List<JsonObject> actual) {
    Comparator<JsonObject> order =
        Comparator.comparing((JsonObject frame) -> frame.getString("re", ""))
            .thenComparing(frame -> frame.getLong("rev", 0L));
    List<JsonObject> expected = step.answers().stream().sorted(order).toList();
    List<JsonObject> came = actual.stream().sorted(order).toList();
    for (int i = 0; i < expected.size(); i++) {
      learn(expected.get(i), came.get(i));
      assertThat(plain(came.get(i))).isEqualTo(plain(actual(expected.get(i))));
    }
  }

  /// Takes ids that the text names for the first time for those that came in their place.
  private void learn(JsonObject expected, JsonObject came) {
    for (String field : expected.fieldNames()) {
      if (IDS.contains(field) && came.getValue(field) instanceof String id) {
        ids.putIfAbsent(expected.getString(field), id);
      }
    }
  }

  private JsonObject actual(JsonObject text) {
    JsonObject actual = new JsonObject();
    for (Map.Entry<String, Object> field : text) {
      actual.put(field.getKey(), actual(field.getValue()));
    }
    return actual;
  }

  private Object actual(Object value) {
    return switch (value) {
      case String id -> ids.getOrDefault(id, id);
      case JsonObject object -> actual(object);
      case JsonArray array -> new JsonArray(array.stream().map(this::actual).toList());
      default -> value;
    };
  }

  /// Without what differs from time to time.
  private static JsonObject plain(JsonObject frame) {
    JsonObject plain = new JsonObject();
    for (Map.Entry<String, Object> field : frame) {
      plain.put(
          field.getKey(),
          TIMES.contains(field.getKey())
              ? "a time"
              : field.getValue() instanceof JsonObject object ? plain(object) : field.getValue());
    }
    return plain;
  }
}
