package io.confab.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.bus.Done;
import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.limit.Budget;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What strangers can make the API hold, read and do.
@Timeout(120)
class HttpFloodIT {
  private static final String REQUEST = ApiServer.head("GET /x HTTP/1.1", "host: a");

  @Test
  void whoReadsNoAnswersIsCutOff() throws IOException {
    try (ApiServer api = new ApiServer(config("sockets.stall_timeout", "100ms"));
        Socket socket = api.connect()) {
      byte[] many = REQUEST.repeat(100).getBytes(ISO_8859_1);
      assertThatThrownBy(
              () -> {
                while (true) {
                  socket.getOutputStream().write(many);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    try (ApiServer api = new ApiServer();
        Socket socket = api.connect()) {
      StringBuilder requests = new StringBuilder();
      IntStream.range(0, 100)
          .forEach(i -> requests.append(ApiServer.head("OPTIONS /v1/me HTTP/1.1", "host: a")));
      requests.append(ApiServer.head("GET /v1/me HTTP/1.1", "host: a", "connection: close"));
      socket.getOutputStream().write(requests.toString().getBytes(ISO_8859_1));
      String answers = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(answers.split("HTTP/1.1 204", -1)).hasSize(101);
      assertThat(answers.substring(answers.lastIndexOf("HTTP/1.1 "))).startsWith("HTTP/1.1 401");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /nothing HTTP/1.1",
        "PUT /v1/rooms HTTP/1.1",
        "OPTIONS /v1/rooms HTTP/1.1",
        "GET /v1/rooms/x?%e HTTP/1.1",
        "GET /v1/%zz HTTP/1.1",
        "GET //v1/me HTTP/1.1",
        "POST /v1/tokens HTTP/1.1",
        "GET /v1/me HTTP/1.1"
      })
  void everyRequestCounts(String line) throws IOException {
    try (ApiServer api = new ApiServer(config("rates.requests", "1/h burst 2"))) {
      String request = ApiServer.head(line, "host: a", "connection: close");
      assertThat(api.raw(request, "\r\n\r\n")).doesNotStartWith("HTTP/1.1 429");
      assertThat(api.raw(request, "\r\n\r\n")).doesNotStartWith("HTTP/1.1 429");
      assertThat(api.raw(request, "\r\n\r\n")).startsWith("HTTP/1.1 429");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/rooms", "/v1/admin/accounts", "/v1/admin/tokens"})
  void nothingIsReadForACallerWhoIsNotKnown(String path) throws IOException {
    try (ApiServer api = new ApiServer()) {
      String answer =
          api.raw(
              ApiServer.head(
                  "POST " + path + " HTTP/1.1",
                  "host: a",
                  "content-type: application/json",
                  "content-length: 200000"),
              "}}");
      assertThat(answer).startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void whoIsOverTheLimitIsNotRead() throws IOException {
    try (ApiServer api = new ApiServer(config("rates.sign_ins", "1/h burst 1"))) {
      api.reply(Done.DONE);
      api.post("/v1/tokens", "{\"handle\":\"ada\",\"password\":\"long enough\"}");
      String answer =
          api.raw(
              ApiServer.head(
                  "POST /v1/tokens HTTP/1.1",
                  "host: a",
                  "content-type: application/json",
                  "content-length: 100"),
              "}}");
      assertThat(answer).startsWith("HTTP/1.1 429");
    }
  }

  @Test
  void strangersSendLittle() {
    try (ApiServer api = new ApiServer()) {
      String body = "{\"handle\":\"%s\"}".formatted("a".repeat(4_096));
      assertThat(api.post("/v1/tokens", body).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void bodiesUnderWayShareABudget() throws IOException {
    Config config = TestConfig.node(Path.of("unused"));
    Budget budget = new Budget(4_000);
    try (ApiServer api = new ApiServer(config, TestLimits.of(config, budget))) {
      api.reply(Done.DONE);
      String path = "/v1/blocks/0000000000007";
      for (int i = 0; i < 10; i++) {
        assertThat(api.call("DELETE", path, " ".repeat(900) + "{}").statusCode()).isEqualTo(204);
      }
      assertThat(api.call("DELETE", path, " ".repeat(2_000) + "{}").statusCode()).isEqualTo(503);
      try (Socket unfinished = api.connect()) {
        String head =
            ApiServer.head(
                "DELETE " + path + " HTTP/1.1",
                "host: a",
                "authorization: Bearer " + ApiServer.TOKEN,
                "content-type: application/json",
                "content-length: 900");
        unfinished.getOutputStream().write((head + " ".repeat(800)).getBytes(ISO_8859_1));
        await().until(() -> budget.held() == 800);
        assertThat(api.call("DELETE", path, " ".repeat(300) + "{}").statusCode()).isEqualTo(503);
      }
      await().until(() -> budget.held() == 0);
    }
  }

  @Test
  void aBodyWhoseClientLeftBeforeItWasKnownTakesNothing() throws IOException {
    Config config = TestConfig.node(Path.of("unused"));
    Budget budget = new Budget(1 << 20);
    try (ApiServer api = new ApiServer(config, TestLimits.of(config, budget));
        Socket gone = api.connect()) {
      String head =
          ApiServer.head(
              "DELETE /v1/blocks/0000000000007 HTTP/1.1",
              "host: a",
              "authorization: Bearer " + ApiServer.SLOW_TOKEN,
              "content-type: application/json",
              "content-length: 900");
      gone.getOutputStream().write((head + " ".repeat(800)).getBytes(ISO_8859_1));
      await().until(api::isIdentifying);
      gone.close();
      await().until(() -> api.connections.get() == 0);
      api.identify();
      // the answer to another request of the same loop comes after what is done for the first
      assertThat(api.get("/v1/nothing").statusCode()).isEqualTo(404);
      assertThat(budget.held()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/%6de",
        "//v1/me",
        "/v1//me",
        "/v1/./me",
        "/v1/x/../me",
        "/v1/me/",
        "/v1/%61dmin/accounts",
        "/v1/%2561dmin/accounts",
        "/v1/admin%2faccounts",
        "/v1/x/%2e%2e/admin/accounts",
        "/V1/admin/accounts",
        "/v1/admin;/accounts"
      })
  void aPathThatCanBeReadInTwoWaysIsNotFound(String path) throws IOException {
    try (ApiServer api = new ApiServer()) {
      String request =
          ApiServer.head(
              "GET " + path + " HTTP/1.1", "host: a", "authorization: Bearer " + ApiServer.TOKEN);
      assertThat(api.raw(request, "}}")).startsWith("HTTP/1.1 404");
      assertThat(api.commands).isEmpty();
    }
  }

  @Test
  void aQueryThatCannotBeDecodedIsRefusedOnEveryPath() throws IOException {
    try (ApiServer api = new ApiServer()) {
      String answer = api.raw(ApiServer.head("GET /v1/rooms/x?%e HTTP/1.1", "host: a"), "}}");
      assertThat(answer)
          .startsWith("HTTP/1.1 400")
          .contains("\"invalid_field\"")
          .contains("request_id");
    }
  }

  private static Config config(String path, String value) {
    return new ConfigLoader(Map.of()).load(null, Map.of("http.port", "0", path, value)).config();
  }
}
