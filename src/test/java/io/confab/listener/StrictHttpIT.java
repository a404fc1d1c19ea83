package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.ConfigLoader;
import io.confab.http.ApiServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that a proxy in front may read otherwise than the server, byte by byte. `|` stands for
/// the end of a line.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StrictHttpIT {
  private static final String END = "\r\n\r\n";
  private static final String CHUNKED =
      "POST /v1/tokens HTTP/1.1|host: a|content-type: application/json|transfer-encoding:"
          + " chunked||";

  private final ApiServer api = new ApiServer();

  @AfterAll
  void close() {
    api.close();
  }

  private static String bytes(String lines) {
    return lines.replace("|", "\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/me HTTP/1.1|host: a|x: b| c||",
        "GET /v1/me HTTP/1.1|host: a|x: b|\tc||",
        "GET /v1/me HTTP/1.1|host: a|x: b| ||",
        "GET /v1/me HTTP/1.1| host: a||",
        "GET /v1/me HTTP/1.1|host:| a||",
        "POST /v1/me HTTP/1.1|host: a|transfer-encoding:| chunked||0||",
        "GET /v1/me HTTP/1.1|host: a|host: b||",
        "GET /v1/me HTTP/1.1|host: a|Host: a||",
        "GET /v1/me HTTP/1.0|host: a|host: b||",
        "GET /v1/me HTTP/1.1||",
        "GET /v1/me HTTP/1.1|accept: a||",
        "POST /v1/me HTTP/1.1|host: a|transfer-encoding: gzip, chunked||0||",
        "POST /v1/me HTTP/1.1|host: a|transfer-encoding: gzip||0||",
        "POST /v1/me HTTP/1.1|host: a|transfer-encoding: chunked|transfer-encoding: chunked||0||",
        "POST /v1/me HTTP/1.1|host: a|transfer-encoding: xchunked||0||",
        "POST /v1/me HTTP/1.0|host: a|transfer-encoding: chunked||0||",
        "POST /v1/me HTTP/1.1|host: a|transfer-encoding: chunked|content-length: 3||0||",
        "POST /v1/me HTTP/1.1|host: a|content-length: 1|content-length: 2||ab",
        "POST /v1/me HTTP/1.1|host: a|content-length: +1||a",
        "POST /v1/me HTTP/1.1|host: a|content-length: -1||a",
        "POST /v1/me HTTP/1.1|host: a|content-length: 1, 1||a",
        "GET /v1/m\0e HTTP/1.1|host: a||",
        "GET /v1/me\u007f HTTP/1.1|host: a||",
        "GET /v1/me?\u0001 HTTP/1.1|host: a||",
        "GET /v1/me HTTP/1.2|host: a||",
        "GET /v1/me HTTP/2.0|host: a||",
        "GET /v1/me HTTP/0.9|host: a||",
        "GET /v1/me|host: a||",
        "GET /v1/me HTTP/1.1|host : a||",
        "GET /v1/me HTTP/1.1|host: a|: b||",
        "GET /v1/me HTTP/1.1|host: a|no colon||",
        "G(T /v1/me HTTP/1.1|host: a||",
        "PRI * HTTP/2.0||SM||"
      })
  void aHeadThatCanBeReadInTwoWaysIsRefused(String head) throws IOException {
    String answer = api.raw(bytes(head), "never");

    assertThat(answer).matches("(?s)HTTP/1\\.[01] 400 .*");
    assertThat(answer.split("HTTP/", -1)).as("answers").hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/nothing HTTP/1.1|host: a|connection: close||",
        "GET /v1/nothing HTTP/1.1|Host:|connection: close||",
        "GET /v1/nothing\u00c3\u0084 HTTP/1.1|host: a|connection: close||",
        "GET /v1/nothing HTTP/1.0|connection: close||",
        "|GET /v1/nothing HTTP/1.1|host: a|connection: close||",
        "PUT /v1/nothing HTTP/1.1|host: a|connection: close|transfer-encoding: CHUNKED||1|a|0||",
        "PUT /v1/nothing HTTP/1.1|host: a|connection: close|content-length: 3|| a|"
      })
  void aPlainRequestIsAnswered(String request) throws IOException {
    assertThat(api.raw(bytes(request), "}}")).matches("(?s)HTTP/1\\.[01] 404 .*");
  }

  @Test
  void theBodyOfARequestIsNoPartOfTheNextHead() throws IOException {
    String two =
        "PUT /v1/nothing HTTP/1.1|host: a|content-length: 6||a| b| "
            + "PUT /v1/nothing HTTP/1.1|host: a|connection: close|content-length: 0||";

    String answer = api.raw(bytes(two.replace("b| P", "b|P")), "never");

    assertThat(answer.split("HTTP/1.1 404", -1)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz|{}|0||",
        "0x2|{}|0||",
        "-2|{}|0||",
        "2 2|{}|0||",
        "|{}|0||",
        "2|{}x|0||",
        "ffffffffffffffffff|{}|0||",
        "80000000|{}|0||"
      })
  void aMalformedChunkIsTheClientsFault(String chunks) throws IOException {
    String answer = api.raw(bytes(CHUNKED + chunks), "never");

    assertThat(answer).startsWith("HTTP/1.1 400 ");
    assertThat(answer.split("HTTP/", -1)).as("answers").hasSize(2);
  }

  @Test
  void anEndlessExtensionOfAChunkIsRefused() throws IOException {
    String answer = api.raw(bytes(CHUNKED + "2;") + "a".repeat(70_000) + "\r\n{}\r\n0" + END, END);

    assertThat(answer).startsWith("HTTP/1.1 400 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/9|host: a||", "GET /v1/me HTTP/1.1|host: a|host: b||"})
  void whatIsNoRequestCountsLikeOne(String head) throws IOException {
    try (ApiServer limited =
        new ApiServer(
            new ConfigLoader(Map.of())
                .load(null, Map.of("http.port", "0", "rates.requests", "1/h burst 2"))
                .config())) {
      limited.raw(bytes(head), "never");
      limited.raw(bytes(head), "never");

      assertThat(limited.raw(ApiServer.head("GET /v1/me HTTP/1.1", "host: a"), END))
          .startsWith("HTTP/1.1 429");
    }
  }
}
