package io.confab.scenario.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.contract.Contract;
import io.confab.contract.Golden;
import io.confab.contract.Mutation;
import io.confab.contract.Mutations;
import io.confab.contract.Operation;
import io.confab.contract.Shape;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Every field of every frame and every call, as the documents state them, missing, unknown, of
/// another type or out of its bounds, over the wire: the field is named, and nobody else is
/// touched.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrongTypesIT {
  private static final String SAMPLE_ROOM = "0000000000007";
  private static final int LARGEST_FRAME = 65_000;
  private static final String KEY = "an-api-key-that-signs-others-in-0123456789";

  private final Nodes nodes = Nodes.start(1);
  private final int port = nodes.port(0);
  private final int keyPort =
      nodes.add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(KEY)))).port();
  private final Person ada = ApiClient.person(port, "ada", "Ada");
  private final Person bob = ApiClient.person(port, "bob", "Bob");
  private final String room = ada.at(port).channel("Wrong");

  /// So that no call is refused before its fields are looked at.
  @BeforeAll
  void makeAdmin() {
    nodes.database().execute("UPDATE account SET role = 'admin' WHERE handle = 'ada'");
  }

  @AfterAll
  void close() {
    nodes.close();
  }

  @Test
  void everyWrongFieldOfAFrameIsNamedAndNobodyElseIsTouched() {
    bob.at(port).join(room);
    ChatClient sender = ChatClient.live(nodes.vertx(), port, ada.token());
    ChatClient listener = ChatClient.live(nodes.vertx(), port, bob.token());
    Map<String, Mutation> numbered = new LinkedHashMap<>();
    List<Mutation> withWrongId = new ArrayList<>();
    for (Mutation mutation : frames()) {
      if (mutation.field().equals("id")) {
        withWrongId.add(mutation);
        sender.raw(inRoom(mutation.json().toString()));
      } else {
        String id = "w" + numbered.size();
        numbered.put(id, mutation);
        sender.raw(inRoom(mutation.json().deepCopy().put("id", id).toString()));
      }
    }
    assertThat(numbered).hasSizeGreaterThan(200);
    assertThat(withWrongId).hasSizeGreaterThan(20);

    await().until(() -> sender.frames("error").size() >= numbered.size() + withWrongId.size());

    Map<String, JsonObject> answers = new TreeMap<>();
    List<JsonObject> withoutId = new ArrayList<>();
    for (JsonObject error : sender.frames("error")) {
      if (error.containsKey("re")) {
        answers.put(error.getString("re"), error);
      } else {
        withoutId.add(error);
      }
    }
    assertThat(withoutId).hasSameSizeAs(withWrongId);
    withoutId.forEach(error -> assertRefused(error, "id", Mutation.What.OF_ANOTHER_TYPE));
    numbered.forEach(
        (id, mutation) -> assertRefused(answers.get(id), mutation.field(), mutation.what()));
    assertThat(ChatClient.get(sender.send(room, "after", "Still here.")).getString("type"))
        .isEqualTo("message.ack");
    listener.awaitFrame("message.receive");
    assertThat(listener.frames())
        .extracting(frame -> frame.getString("type"))
        .containsExactly("welcome", "resumed", "marker", "message.receive");
    assertThat(listener.isClosed()).isFalse();
  }

  /// Larger ones end the connection, whatever is in them.
  private static List<Mutation> frames() {
    List<Mutation> mutations = new ArrayList<>();
    for (Golden sample : Golden.all("client")) {
      Shape shape = Objects.requireNonNull(Contract.FRAMES.client().get(sample.name()));
      Mutations.of(shape.source(), sample.json()).stream()
          .filter(mutation -> mutation.json().toString().length() < LARGEST_FRAME)
          .forEach(mutations::add);
    }
    return mutations;
  }

  private String inRoom(String sample) {
    return sample.replace(SAMPLE_ROOM, room);
  }

  @Test
  void everyWrongFieldOfABodyIsNamed() {
    int calls = 0;
    for (Golden sample : Golden.all("request")) {
      Operation operation = operation(sample.name());
      Shape body = Objects.requireNonNull(operation.body());
      for (Mutation mutation : Mutations.of(body.source(), sample.json())) {
        ApiClient.Answer answer = call(operation, new JsonObject(mutation.json().toString()));
        assertThat(answer.status()).as(mutation.toString()).isIn(400, 413);
        assertRefused(answer.body().getJsonObject("error"), mutation.field(), mutation.what());
        calls++;
      }
    }
    assertThat(calls).isGreaterThan(100);
  }

  @Test
  void aCallWithoutFieldsTakesNone() {
    int calls = 0;
    for (Operation operation : Contract.HTTP.operations()) {
      Shape body = operation.body();
      if (body != null && operation.listener().isEmpty() && !body.source().has("properties")) {
        ApiClient.Answer answer = call(operation, new JsonObject().put("zzz", 1));
        assertThat(answer.status()).isEqualTo(400);
        assertRefused(answer.body().getJsonObject("error"), "zzz", Mutation.What.UNKNOWN);
        calls++;
      }
    }
    assertThat(calls).isGreaterThan(3);
  }

  @Test
  void everyWrongQueryParameterIsNamed() {
    int calls = 0;
    for (Operation operation : Contract.HTTP.operations()) {
      if (operation.listener().isEmpty()
          && !operation.isOfThePage()
          && !operation.statuses().contains(101)) {
        assertParameterRefused(operation, "zzz", "1");
        for (Map.Entry<String, Operation.Parameter> parameter : operation.query().entrySet()) {
          for (String wrong : wrongValues(parameter.getValue().shape().source())) {
            assertParameterRefused(operation, parameter.getKey(), wrong);
            calls++;
          }
        }
      }
    }
    assertThat(calls).isGreaterThan(20);
  }

  private static List<String> wrongValues(JsonNode schema) {
    List<String> wrong = new ArrayList<>();
    if (schema.path("type").asText().equals("integer")) {
      wrong.addAll(List.of("x", "1.5", "true", "", "9".repeat(20)));
      wrong.add(Long.toString(schema.path("minimum").asLong() - 1));
    }
    if (schema.has("maximum")) {
      wrong.add(Long.toString(schema.get("maximum").asLong() + 1));
    }
    if (schema.has("enum")) {
      wrong.add("zzz");
    }
    return wrong;
  }

  private void assertParameterRefused(Operation operation, String name, String value) {
    StringBuilder query = new StringBuilder("?" + name + "=" + value);
    operation
        .query()
        .forEach(
            (other, parameter) -> {
              if (parameter.required() && !other.equals(name)) {
                query.append('&').append(other).append("=1");
              }
            });
    ApiClient.Answer answer = call(operation, query.toString(), null);
    assertThat(answer.status()).as("%s %s", operation.id(), query).isEqualTo(400);
    assertRefused(answer.body().getJsonObject("error"), name, Mutation.What.OF_ANOTHER_TYPE);
  }

  private static void assertRefused(@Nullable JsonObject error, String field, Mutation.What what) {
    JsonObject known = Objects.requireNonNull(error, "there is no answer about " + field);
    assertThat(known.getString("field")).as(known.encode()).isEqualTo(field);
    if (what != Mutation.What.OUT_OF_BOUNDS || !known.getString("code").equals("too_large")) {
      assertThat(known.getString("code")).isEqualTo("invalid_field");
    }
  }

  private static Operation operation(String id) {
    return Contract.HTTP.operations().stream()
        .filter(operation -> operation.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private ApiClient.Answer call(Operation operation, JsonObject body) {
    return call(operation, "", body);
  }

  private ApiClient.Answer call(Operation operation, String query, @Nullable JsonObject body) {
    String path =
        operation
            .path()
            .replace("{room_id}", room)
            .replace("{account_id}", bob.accountId())
            .replace("{device_id}", ada.deviceId())
            .replace("{code}", "code")
            .replace("{seq}", "1");
    ApiClient caller =
        Set.of("issueTokens", "makeBot").contains(operation.id())
            ? ApiClient.withHeaders(keyPort, Map.of("authorization", "Key " + KEY))
            : ada.at(port);
    return caller.call(operation.method(), path + query, body);
  }
}
