package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.confab.http.ApiServer;
import io.confab.testing.TestConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What stands in every answer, which pages may read it, and what is no request at all.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnswerHeadersIT {
  private static final Map<String, String> EVERYWHERE =
      Map.of(
          "cache-control", "no-store",
          "content-security-policy", "default-src 'none'; frame-ancestors 'none'",
          "cross-origin-opener-policy", "same-origin",
          "cross-origin-resource-policy", "same-origin",
          "referrer-policy", "no-referrer",
          "x-content-type-options", "nosniff",
          "x-frame-options", "DENY");
  private static final String PAGE = "https://app.example";

  private final ApiServer api =
      new ApiServer(
          TestConfig.with(TestConfig.node(Path.of("unused")), "http.cors_origins", List.of(PAGE)));

  @AfterAll
  void close() {
    api.close();
  }

  private String raw(String... lines) throws IOException {
    return api.raw(ApiServer.head(lines), "\r\n\r\n");
  }

  private static Map<String, String> headers(String answer) {
    return answer
        .lines()
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .map(line -> line.split(": ", 2))
        .collect(
            Collectors.toMap(
                parts -> parts[0].toLowerCase(Locale.ROOT),
                parts -> parts[1],
                (a, b) -> a + " and " + b,
                TreeMap::new));
  }

  @ParameterizedTest
  @CsvSource({
    "'GET /v1/me HTTP/1.1', 401",
    "'HEAD /v1/me HTTP/1.1', 401",
    "'OPTIONS /v1/me HTTP/1.1', 204",
    "'PUT /v1/me HTTP/1.1', 405",
    "'POST /v1/tokens HTTP/1.1', 400",
    "'GET /v1/nothing HTTP/1.1', 404",
    "'GET /v1/%ff%zz HTTP/1.1', 404",
    "'GET /../etc/passwd HTTP/1.1', 404",
    "'GET /index.html HTTP/1.1', 404",
    "'nonsense', 400",
  })
  void everyAnswerHasThem(String requestLine, int status) throws IOException {
    String answer = raw(requestLine, "host: a", "connection: close");

    assertThat(answer).matches("(?s)HTTP/1\\.[01] " + status + " .*");
    assertThat(headers(answer))
        .containsAllEntriesOf(EVERYWHERE)
        .hasEntrySatisfying("date", AnswerHeadersIT::isNow)
        .doesNotContainKeys("server", "x-powered-by", "strict-transport-security");
  }

  private static void isNow(String date) {
    assertThat(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)))
        .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
  }

  @Test
  void soHasTheRefusalOfAnUpgradeAndOfWhatIsTooLong() throws IOException {
    String upgrade =
        raw(
            "GET /v1/socket HTTP/1.1",
            "host: a",
            "connection: upgrade",
            "upgrade: websocket",
            "sec-websocket-version: 99",
            "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==");
    String line = raw("GET /" + "a".repeat(9_000) + " HTTP/1.1", "host: a");

    assertThat(upgrade).doesNotStartWith("HTTP/1.1 101");
    assertThat(headers(upgrade)).containsAllEntriesOf(EVERYWHERE).containsKey("date");
    assertThat(line).startsWith("HTTP/1.0 414");
    assertThat(headers(line)).containsAllEntriesOf(EVERYWHERE);
  }

  @Test
  void aPageOnTheListMayAskAndRead() throws IOException {
    Map<String, String> preflight =
        headers(
            raw(
                "OPTIONS /v1/rooms HTTP/1.1",
                "host: a",
                "origin: " + PAGE,
                "access-control-request-method: POST",
                "access-control-request-headers: authorization, content-type"));
    Map<String, String> answer = headers(raw("GET /v1/me HTTP/1.1", "host: a", "origin: " + PAGE));

    assertThat(preflight)
        .containsEntry("access-control-allow-origin", PAGE)
        .containsEntry("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE")
        .containsEntry(
            "access-control-allow-headers",
            "authorization, content-type, idempotency-key, if-match, if-none-match")
        .containsEntry("access-control-max-age", "600")
        .containsEntry("vary", "origin");
    assertThat(answer)
        .containsEntry("access-control-allow-origin", PAGE)
        .containsEntry(
            "access-control-expose-headers",
            "allow, date, etag, ratelimit, ratelimit-policy, retry-after, x-request-id")
        .containsEntry("vary", "origin")
        .doesNotContainKey("access-control-allow-credentials");
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example.evil",
    "https://evil.app.example",
    "http://app.example",
    "https://app.example:8443",
    "https://APP.example",
    "null",
    "*",
    "https://app.example/",
    "https://app.example https://evil.example"
  })
  void anotherPageIsToldNothing(String origin) throws IOException {
    for (String method : List.of("OPTIONS", "GET")) {
      assertThat(
              headers(
                  raw(
                      method + " /v1/me HTTP/1.1",
                      "host: a",
                      "origin: " + origin,
                      "access-control-request-method: GET")))
          .allSatisfy((name, _) -> assertThat(name).doesNotStartWith("access-control"));
    }
  }

  @Test
  void withoutAListNobodyIs() throws IOException {
    try (ApiServer closed = new ApiServer()) {
      String answer =
          closed.raw(
              ApiServer.head("OPTIONS /v1/me HTTP/1.1", "host: a", "origin: " + PAGE), "\r\n\r\n");
      assertThat(headers(answer))
          .allSatisfy((name, _) -> assertThat(name).doesNotStartWith("access-control"));
    }
  }

  /// Each says two different things about where it ends; `|` is a line's end, `~` a tab. What would
  /// be a second request to one reader is the body to another.
  static List<String> ambiguous() {
    String smuggled = "GET /v1/smuggled HTTP/1.1|host: a||";
    String chunks = "||0||" + smuggled;
    return Arrays.asList(
        "content-length: 5|transfer-encoding: chunked" + chunks,
        "transfer-encoding: chunked|content-length: 5" + chunks,
        "transfer-encoding: chunked|content-length: 0" + chunks,
        "content-length: 0|content-length: 44||" + smuggled,
        "content-length: 44|content-length: 0||" + smuggled,
        "content-length: 0, 44||" + smuggled,
        "content-length: +0||" + smuggled,
        "content-length: -1||" + smuggled,
        "content-length: 0x0||" + smuggled,
        "content-length: 0 0||" + smuggled,
        "content-length: zero||" + smuggled,
        "content-length: 99999999999999999999||" + smuggled,
        "content-length:|content-length: 44||" + smuggled,
        "content-length : 44||" + smuggled,
        "content-length~: 44||" + smuggled,
        "transfer-encoding: xchunked" + chunks,
        "transfer-encoding: chunked, identity" + chunks,
        "transfer-encoding: identity, chunked, gzip" + chunks,
        "transfer-encoding: chunked|transfer-encoding: x" + chunks,
        "transfer-encoding: chunked, chunked" + chunks,
        "transfer-encoding: \"chunked\"" + chunks,
        "transfer-encoding: \u000bchunked" + chunks,
        "transfer-encoding: chunked\u0000" + chunks,
        "transfer-encoding : chunked" + chunks,
        "transfer-encoding~: chunked" + chunks,
        " transfer-encoding: chunked" + chunks,
        "x: y| transfer-encoding: chunked" + chunks,
        "x: y\u0000z||" + smuggled,
        "x\u0000: y||" + smuggled,
        "x y: z||" + smuggled,
        "no colon at all||" + smuggled,
        "transfer-encoding: chunked||-1|a|" + "0||" + smuggled,
        "transfer-encoding: chunked||0x0||" + smuggled,
        "transfer-encoding: chunked||+0||" + smuggled,
        "transfer-encoding: chunked||ffffffffffffffff|a|0||" + smuggled,
        "transfer-encoding: chunked||g||0||" + smuggled,
        "transfer-encoding: chunked||1|ab|0||" + smuggled,
        "transfer-encoding: chunked||1|a0||" + smuggled);
  }

  @ParameterizedTest
  @MethodSource("ambiguous")
  void aRequestWithTwoEndsIsRefusedAndNothingAfterItIsRead(String rest) throws IOException {
    String answer =
        api.raw(
            "POST /v1/rooms HTTP/1.1|host: a|content-type: application/json|".replace("|", "\r\n")
                + rest.replace("|", "\r\n").replace("~", "\t"),
            "\u0000never");

    assertThat(answer.split("HTTP/1\\.1 ", -1)).as(answer).hasSizeLessThanOrEqualTo(2);
    assertThat(answer).matches("(?s)(HTTP/1.1 4.*|HTTP/1.1 501.*|)");
  }

  @ParameterizedTest
  @CsvSource({"HTTP/1.0", "HTTP/0.9"})
  void olderProtocolsHaveNoChunks(String version) throws IOException {
    String answer =
        api.raw(
            "POST /v1/rooms %s|host: a|transfer-encoding: chunked||0||GET /v1/smuggled %s|host: a||"
                .formatted(version, version)
                .replace("|", "\r\n"),
            "\u0000never");

    assertThat(answer.split("HTTP/1\\.[01] ", -1)).as(answer).hasSizeLessThanOrEqualTo(2);
  }
}
