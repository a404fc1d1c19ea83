package io.confab.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.config.Config;
import io.confab.contract.Contract;
import io.confab.contract.HttpContract.Exchange;
import io.confab.metrics.Meters;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
@Timeout(240)
class ManagementServerIT {
  private static final JsonNode EMPTY = JsonNodeFactory.instance.objectNode();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path dataDir;
  private final AtomicReference<Future<Void>> redis =
      new AtomicReference<>(Future.succeededFuture());
  private final Readiness readiness =
      new Readiness(
          List.of(
              new HealthCheck("postgresql", Future::succeededFuture),
              new HealthCheck("redis", redis::get)),
          Duration.ofSeconds(2));
  private final ManagementServer server;
  private int port;

  ManagementServerIT(Vertx vertx, @TempDir Path folder) {
    this.dataDir = folder.resolve("data");
    this.server =
        new ManagementServer(
            vertx,
            new Config.Management("127.0.0.1", 0),
            dataDir,
            readiness,
            new Meters()::scrape,
            Map.of(
                "echo",
                Future::succeededFuture,
                "refuse",
                body -> Future.failedFuture(Refusal.invalidField("handle", "is taken")),
                "break",
                body -> {
                  throw new IllegalStateException("a bug with a secret");
                }));
  }

  @BeforeEach
  void start() throws Exception {
    port = await(server.start());
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
  }

  @Test
  void aNodeIsLiveWhateverItsDependenciesDo() throws Exception {
    redis.set(Future.failedFuture("gone"));

    assertThat(get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void aNodeIsReadyWhenAllItsDependenciesAre() throws Exception {
    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer)).isEqualTo(json("{\"ready\":true,\"failing\":[]}"));
  }

  @Test
  void readyNamesTheFailingDependency() throws Exception {
    redis.set(Future.failedFuture("connection refused"));

    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(json(answer))
        .isEqualTo(
            json(
                """
                {"ready":false,
                 "failing":[{"dependency":"redis","detail":"connection refused"}]}
                """));
  }

  @Test
  void aDependencyThatDoesNotAnswerCountsAsFailing() throws Exception {
    redis.set(Promise.<Void>promise().future());

    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(json(answer).at("/failing/0/dependency").asText()).isEqualTo("redis");
  }

  @Test
  void metricsAreTextForPrometheus() throws Exception {
    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
    assertThat(answer.body()).contains("confab_sockets_open 0.0");
  }

  @Test
  void withoutTheSecretNoCommandRuns() throws Exception {
    assertThat(post("echo", "", "{}").statusCode()).isEqualTo(401);
    assertThat(post("echo", "Bearer 0000", "{}").statusCode()).isEqualTo(401);
    assertThat(post("nothing", "", "{}").statusCode()).isEqualTo(401);
    assertThat(json(post("echo", "", "{}")).at("/error/request_id").asText())
        .matches("[0-9a-f]{16}");
  }

  @Test
  void withTheSecretOfTheDataFolderACommandRuns() throws Exception {
    try (ManagementClient client = ManagementClient.find(dataDir).orElseThrow()) {
      JsonNode body = json("{\"handle\":\"ann\"}");

      assertThat(client.run("echo", body)).isEqualTo(body);
      assertThatThrownBy(() -> client.run("nothing", EMPTY))
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }
  }

  @Test
  void aRefusalReachesTheCallerAsItWasAndABugWithoutItsText() throws Exception {
    try (ManagementClient client = ManagementClient.find(dataDir).orElseThrow()) {
      assertThatThrownBy(() -> client.run("refuse", EMPTY))
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
                assertThat(refusal.field()).contains("handle");
                assertThat(refusal.detail()).isEqualTo("is taken");
              });
      assertThatThrownBy(() -> client.run("break", EMPTY))
          .isInstanceOf(Refusal.class)
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aBodyAboveItsLimitOrThatIsNotJsonIsRefused() throws Exception {
    String key = "Bearer " + ManagementFile.read(dataDir).orElseThrow().secret();

    assertThat(post("echo", key, "\"" + "x".repeat(65_536) + "\"").statusCode()).isEqualTo(413);
    assertThat(post("echo", key, "{").statusCode()).isEqualTo(400);
    assertThat(post("echo", key, "{\"a\":1,\"a\":2}").statusCode()).isEqualTo(400);
  }

  @Test
  void anUnknownPathIsNotFound() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/manage/echo").statusCode()).isIn(404, 405);
  }

  @Test
  void theSecretIsForTheOwnerAloneAndGoesWithTheNode() throws Exception {
    Path file = dataDir.resolve("management.json");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(ManagementFile.read(dataDir).orElseThrow().toString())
        .doesNotContain(ManagementFile.read(dataDir).orElseThrow().secret());

    await(server.close());

    assertThat(file).doesNotExist();
    assertThat(ManagementClient.find(dataDir)).isEmpty();
  }

  @Test
  void aFileThatAKilledNodeLeftBehindMeansThatNoneRuns() throws Exception {
    ManagementFile left = ManagementFile.read(dataDir).orElseThrow();
    await(server.close());
    left.write(dataDir);

    assertThat(ManagementClient.find(dataDir)).isEmpty();
  }

  @Test
  void aSecretOfAnotherNodeIsRefusedWithTheFileThatHoldsIt() throws Exception {
    new ManagementFile("127.0.0.1", port, "0000").write(dataDir);

    try (ManagementClient client = ManagementClient.find(dataDir).orElseThrow()) {
      assertThatThrownBy(() -> client.run("echo", EMPTY))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining(dataDir.resolve("management.json").toString());
    }
  }

  @Test
  void aFileThatIsDamagedIsNamedWithoutWhatItHolds() throws Exception {
    Path file = dataDir.resolve("management.json");
    Files.writeString(file, "{\"secret\":\"hush\"");

    assertThatThrownBy(() -> ManagementClient.find(dataDir))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContaining("hush");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build(), null);
  }

  private HttpResponse<String> post(String command, String key, String body)
      throws IOException, InterruptedException {
    return send(
        request("/manage/" + command)
            .header("authorization", key)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        body);
  }

  private HttpResponse<String> send(HttpRequest request, @Nullable String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 404 && answer.statusCode() != 405) {
      Contract.saw(
          new Exchange(
              request.method(),
              request.uri().getPath(),
              body,
              answer.statusCode(),
              answer.headers().firstValue("content-type"),
              answer.body()));
    }
    return answer;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return json(answer.body());
  }

  private static JsonNode json(String text) throws IOException {
    return new JsonMapper().readTree(text);
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
