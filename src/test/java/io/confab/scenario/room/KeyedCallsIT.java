package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What is made with an idempotency key is made once.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyedCallsIT {
  private static final String KEY = "the key of the house";

  private Nodes nodes;
  private int port;
  private Person ada;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    port =
        nodes.add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(KEY)))).port();
    ada = ApiClient.person(port, "ada", "Ada");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private HttpResponse<String> post(String path, String body, String key) {
    return ApiClient.withHeaders(
            port, Map.of("authorization", "Bearer " + ada.token(), "idempotency-key", key))
        .exchange("POST", path, body.replace('\'', '"'));
  }

  private long rooms(String name) {
    return nodes.database().count("SELECT count(*) FROM room WHERE name = '" + name + "'");
  }

  @Test
  void aRoomIsMadeOnceAndAnsweredTheSameTwice() {
    String body = "{'type':'group','name':'One'}";
    HttpResponse<String> first = post("/v1/rooms", body, "one");
    HttpResponse<String> again = post("/v1/rooms", body, "one");
    HttpResponse<String> another = post("/v1/rooms", "{'type':'group','name':'Two'}", "one");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(another.statusCode()).isEqualTo(409);
    assertThat(another.body()).contains("idempotency_mismatch");
    assertThat(rooms("One")).isOne();
    assertThat(rooms("Two")).isZero();
  }

  @Test
  void aSecondAttemptThatIsRefusedLeavesTheKeyToTheRoomThatTheFirstMade() {
    Person bob = ApiClient.person(port, "blocker", "Bob");
    String body = "{'type':'group','name':'Refused','members':['" + bob.accountId() + "']}";
    JsonObject made = new JsonObject(post("/v1/rooms", body, "refused").body());
    nodes
        .database()
        .execute(
            "UPDATE kept_answer SET status = 0, answer = '', lease_until = now()"
                + " WHERE caller_id = (SELECT account_id FROM account WHERE handle = 'ada')");
    bob.at(port).ok("PUT", "/v1/blocks/" + ada.accountId(), null);
    assertThat(post("/v1/rooms", body, "refused").statusCode()).isEqualTo(403);
    bob.at(port).ok("DELETE", "/v1/blocks/" + ada.accountId(), null);

    HttpResponse<String> again = post("/v1/rooms", body, "refused");
    assertThat(new JsonObject(again.body()).getString("room_id"))
        .isEqualTo(made.getString("room_id"));
    assertThat(rooms("Refused")).isOne();
  }

  @Test
  void aRoomThatIsMetAgainNamesWhoWasAsked() {
    Person shy = ApiClient.person(port, "shy", "Shy");
    shy.at(port).ok("PATCH", "/v1/me", new JsonObject().put("invites_from", "nobody"));
    String body = "{'type':'group','name':'Asked','members':['" + shy.accountId() + "']}";
    String first = post("/v1/rooms", body, "asked").body();
    nodes
        .database()
        .execute(
            "UPDATE kept_answer SET status = 0, answer = '', lease_until = now()"
                + " WHERE caller_id = (SELECT account_id FROM account WHERE handle = 'ada')");

    JsonObject again = new JsonObject(post("/v1/rooms", body, "asked").body());

    assertThat(again.getJsonArray("invited")).containsExactly(shy.accountId());
    assertThat(again.getString("room_id")).isEqualTo(new JsonObject(first).getString("room_id"));
  }

  /// Bodies may hold passwords, and a hash of the body alone can be guessed at fast.
  @Test
  void theHashThatIsKeptCannotBeMadeOfTheBodyAlone() {
    String body = "{'type':'group','name':'Guess'}";
    post("/v1/rooms", body, "guess");

    assertThat(rooms("Guess")).isOne();
    assertThat(
            nodes
                .database()
                .count(
                    "SELECT count(*) FROM kept_answer WHERE body_hash = sha256('%s'::bytea)"
                        .formatted(body.replace('\'', '"'))))
        .isZero();
  }

  @Test
  void ofManyAtOnceOneMakesTheRoom() {
    List<HttpResponse<String>> answers =
        IntStream.range(0, 20)
            .parallel()
            .mapToObj(_ -> post("/v1/rooms", "{'type':'group','name':'Many'}", "many"))
            .toList();

    assertThat(answers).extracting(HttpResponse::statusCode).isSubsetOf(201, 503).contains(201);
    assertThat(
            answers.stream().filter(a -> a.statusCode() == 201).map(HttpResponse::body).distinct())
        .hasSize(1);
    assertThat(rooms("Many")).isOne();
  }

  @Test
  void aRoomWhoseNodeDiedBeforeItKeptTheAnswerIsFoundAgain() {
    String body = "{'type':'channel','name':'Died'}";
    JsonObject made = new JsonObject(post("/v1/rooms", body, "died").body());
    nodes
        .database()
        .execute(
            "UPDATE kept_answer SET status = 0, answer = '', lease_until = now()"
                + " WHERE caller_id = (SELECT account_id FROM account WHERE handle = 'ada')");

    HttpResponse<String> again = post("/v1/rooms", body, "died");
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(new JsonObject(again.body())).isEqualTo(made);
    assertThat(rooms("Died")).isOne();
  }

  @Test
  void aRefusedCallLeavesItsKeyFree() {
    assertThat(post("/v1/rooms", "{'type':'group'}", "free").statusCode()).isEqualTo(400);
    assertThat(post("/v1/rooms", "{'type':'group','name':'Free'}", "free").statusCode())
        .isEqualTo(201);
  }

  @Test
  void anInvitationIsShownAgainToWhoMadeIt() {
    String room =
        new JsonObject(post("/v1/rooms", "{'type':'group','name':'I'}", "i").body())
            .getString("room_id");
    HttpResponse<String> first = post("/v1/rooms/" + room + "/invites", "{}", "i");
    HttpResponse<String> again = post("/v1/rooms/" + room + "/invites", "{}", "i");

    assertThat(first.body()).contains("\"code\":");
    assertThat(again.body()).isEqualTo(first.body());
  }

  @Test
  void accountsAreMadeOnceByTheApiKey() {
    ApiClient backend =
        ApiClient.withHeaders(
            port, Map.of("authorization", "Key " + KEY, "idempotency-key", "bulk"));
    String body = "{\"accounts\":[{\"handle\":\"bulk1\"}]}";

    String first = backend.exchange("POST", "/v1/admin/accounts", body).body();
    assertThat(first).contains("account_id");
    assertThat(backend.exchange("POST", "/v1/admin/accounts", body).body()).isEqualTo(first);
  }

  @Test
  void aKeyHasOneToSixtyFourCharacters() {
    for (String key : List.of("k".repeat(65), "a\tb", "")) {
      HttpResponse<String> answer = post("/v1/rooms", "{'type':'group','name':'Key'}", key);
      assertThat(answer.statusCode()).as(key).isEqualTo(400);
      assertThat(answer.body()).contains("\"field\":\"idempotency-key\"");
    }
    assertThat(rooms("Key")).isZero();
  }
}
