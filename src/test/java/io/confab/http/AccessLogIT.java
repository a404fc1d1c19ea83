package io.confab.http;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.testing.LogLines;
import io.confab.testing.TestConfig;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class AccessLogIT {
  private static final String SECRET = "secret-of-somebody";
  private static final String KEY = "k".repeat(32);
  private final ApiServer api =
      new ApiServer(
          with(
              with(TestConfig.node(Path.of("unused")), "http.access_log", true),
              "api_key",
              Optional.of(new Secret(KEY))));
  private final LogLines log = new LogLines("access");

  @AfterEach
  void close() {
    log.close();
    api.close();
  }

  private String line(int number) {
    await().until(() -> log.lines().size() >= number);
    assertThat(log.lines()).hasSize(number);
    return log.lines().get(number - 1);
  }

  @Test
  void eachRequestHasALineWithItsRouteAndNothingThatItSaid() {
    api.fail(new Refusal(ErrorCode.NOT_FOUND, "no such room"));
    HttpResponse<String> answer = api.get("/v1/rooms/" + SECRET + "/members");

    assertThat(line(1))
        .startsWith("INFO request method=GET route=/v1/rooms/:room_id/members status=404 bytes=")
        .contains(" bytes=" + answer.body().length() + " ms=")
        .contains(" address=127.0.0.1 account=" + ApiServer.ALICE.account() + " refused=not_found")
        .endsWith(" request_id=" + answer.headers().firstValue("x-request-id").orElseThrow())
        .doesNotContain(SECRET);
  }

  @Test
  void whoIsRefusedBeforeARouteHasALineToo() {
    api.get("/v1/" + SECRET + "%0a12:00:00");
    assertThat(line(1))
        .contains(" route=none status=404 ")
        .contains(" refused=not_found")
        .doesNotContain(SECRET);
  }

  @Test
  void whatIsNoRequestHasALineThatDoesNotRepeatIt() throws IOException {
    api.raw(ApiServer.head("GET /v1/rooms HTTP/1.1", "Host: a", "Host: " + SECRET), "400");

    assertThat(line(1)).contains(" method=GET route=none status=400 ").doesNotContain(SECRET);
  }

  @Test
  void aMethodThatNobodyKnowsIsNotRepeated() throws IOException {
    api.raw(ApiServer.head(SECRET + " /v1/rooms HTTP/1.1", "Host: a"), "405");

    assertThat(line(1)).contains(" method=OTHER ").contains(" status=405 ").doesNotContain(SECRET);
  }

  @Test
  void whoIsGoneBeforeTheAnswerHasGivenUp() throws IOException {
    try (Socket socket = api.connect()) {
      String request =
          ApiServer.head(
              "GET /v1/me HTTP/1.1", "Host: a", "authorization: Bearer " + ApiServer.SLOW_TOKEN);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().until(api::isIdentifying);
    }

    assertThat(line(1)).contains(" route=/v1/me status=499 ");
  }

  @Test
  void theApiKeyIsNoStranger() {
    for (int i = 0; i < 20; i++) {
      api.call("POST", "/v1/admin/accounts", new byte[] {'{'}, "authorization", "Key " + KEY);
    }
    await().until(() -> log.lines().size() >= 20);
    assertThat(log.lines()).hasSize(20).allMatch(line -> line.contains(" account=api_key "));

    api.call("POST", "/v1/admin/accounts", new byte[] {'{'}, "authorization", "Key x" + KEY);
    assertThat(line(21)).doesNotContain("account=").contains(" refused=unauthorized");
  }

  @Test
  void aFloodOfStrangersIsOneLine() {
    List<HttpResponse<String>> answers =
        IntStream.range(0, 50).mapToObj(_ -> api.call("GET", "/v1/rooms", (byte[]) null)).toList();

    assertThat(answers).allMatch(answer -> answer.statusCode() >= 400);
    api.call("POST", "/v1/admin/accounts", new byte[] {'{'}, "authorization", "Key " + KEY);
    await().until(() -> log.lines().size() >= 2);
    assertThat(log.lines())
        .hasSize(2)
        .anyMatch(line -> line.contains(" account=api_key "))
        .anyMatch(line -> line.contains(" status=") && !line.contains("account="));
  }

  /// Twenty of each kind, each on a connection of its own.
  @Test
  void aFloodOfWhatCannotBeReadIsALineWithoutAByteOfIt() throws IOException {
    try (LogLines all = new LogLines("ROOT")) {
      List<String> queries = List.of("?%e", "?%e\u001b[31mRED\u0007", "?%e\u009b31m", "?%zz%0a");
      List<String> broken =
          List.of("?a=\u001b[31mRED", "?a\nINFO", "?a\rINFO", " \u001b[2J", "\u0000");
      for (int i = 0; i < 20; i++) {
        for (String end : Stream.concat(queries.stream(), broken.stream()).toList()) {
          String answer =
              api.raw(
                  ApiServer.head(
                      "GET /v1/rooms/" + SECRET + end + " HTTP/1.1",
                      "Host: a",
                      "connection: close"),
                  "never said");
          assertThat(answer)
              .as(end)
              .matches("(?s)HTTP/1\\.[01] (400|404) .*")
              .doesNotContain("\tat ", "Exception", "\u001b");
        }
      }
      // the answers to others come after all that is said of these
      api.call("POST", "/v1/admin/accounts", new byte[] {'{'}, "authorization", "Key " + KEY);
      await().until(() -> log.lines().stream().anyMatch(line -> line.contains("account=api_key")));

      assertThat(log.lines())
          .filteredOn(line -> !line.contains("account="))
          .hasSizeLessThanOrEqualTo(4);
      assertThat(all.lines())
          .allSatisfy(
              line ->
                  assertThat(line)
                      .doesNotContain(SECRET, "RED", "%e", "Exception")
                      .doesNotContainPattern("[\\x00-\\x1f\\x7f-\\x9f]"));
    }
  }
}
