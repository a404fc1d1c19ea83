package io.confab.scenario.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.LogLines;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// PostgreSQL refuses to store because its disk is full, or fails, as it says it by itself.
@Timeout(120)
class FullDiskIT {
  private static final String SAID = "could not extend file: No space left on device";

  @ParameterizedTest
  @ValueSource(strings = {"53100", "58030"})
  void itIsToldWhereOperatorsLook(String code) throws IOException, InterruptedException {
    try (Nodes nodes = Nodes.start(1);
        LogLines log = new LogLines("io.confab.postgres")) {
      Person ann = ApiClient.person(nodes.port(0), "ann", "Ann");
      String room = ann.at(nodes.port(0)).channel("disk");
      await().until(() -> ready(nodes).statusCode() == 200);
      fill(nodes, code);

      for (int i = 0; i < 5; i++) {
        Answer refused = send(nodes, ann, room, "c" + i);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body().encode()).contains("unavailable", "storage");
      }

      HttpResponse<String> ready = ready(nodes);
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("postgresql", SAID);
      assertThat(nodes.metrics(0)).containsPattern("confab_storage_failures_total [1-9]");
      assertThat(log.atLeast(Level.ERROR)).singleElement().asString().contains(SAID);

      nodes.database().execute("DROP TRIGGER full_disk ON message");
      assertThat(send(nodes, ann, room, "c0").status()).isEqualTo(201);
    }
  }

  private static void fill(Nodes nodes, String code) {
    nodes
        .database()
        .execute(
            """
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION '%s' USING ERRCODE = '%s'; END $$
            """
                .formatted(SAID, code));
    nodes
        .database()
        .execute(
            """
            CREATE TRIGGER full_disk BEFORE INSERT ON message
              FOR EACH STATEMENT EXECUTE FUNCTION full_disk()
            """);
  }

  private static Answer send(Nodes nodes, Person who, String room, String id) {
    return who.at(nodes.port(0))
        .call(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", id).put("body", "hello"));
  }

  private static HttpResponse<String> ready(Nodes nodes) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + nodes.node(0).managementPort() + "/health/ready");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
