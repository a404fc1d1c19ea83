package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.http.ApiServer;
import io.confab.testing.TestConfig;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Guards the facts about Vert.x that the public listener stands on.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublicListenerIT {
  private final ApiServer api = new ApiServer();

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void anUpgradeThatOffersCompressionGetsNone() throws IOException {
    String answer =
        api.raw(
            ApiServer.head(
                "GET /v1/socket HTTP/1.1",
                "host: a",
                "connection: upgrade",
                "upgrade: websocket",
                "sec-websocket-version: 13",
                "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
                "sec-websocket-extensions: permessage-deflate, x-webkit-deflate-frame"),
            "\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 101");
    assertThat(answer.toLowerCase(Locale.ROOT))
        .doesNotContain("sec-websocket-extensions")
        .doesNotContain("\nserver:");
  }

  @Test
  void clearTextHttp2IsNotSpoken() throws IOException {
    String preface = api.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\r\n\r\n");
    String upgrade =
        api.raw(
            ApiServer.head(
                "GET /v1/nothing HTTP/1.1",
                "host: a",
                "connection: upgrade, http2-settings",
                "upgrade: h2c",
                "http2-settings: AAMAAABkAAQAoAAAAAIAAAAA"),
            "\r\n\r\n");

    assertThat(preface).contains("400 Bad Request");
    assertThat(upgrade).startsWith("HTTP/1.1 404");
  }

  @Test
  void aLongRequestLineAndLongHeadersAreRefused() throws IOException {
    String line =
        api.raw(ApiServer.head("GET /" + "a".repeat(9_000) + " HTTP/1.1", "host: a"), "\r\n\r\n");
    String header =
        api.raw(
            ApiServer.head("GET / HTTP/1.1", "host: a", "x: " + "a".repeat(17_000)), "\r\n\r\n");

    assertThat(line).contains(" 414 ");
    assertThat(header).contains(" 431 ");
  }

  @Test
  void theLimitsAreThoseOfTheConfiguration() {
    HttpServerOptions options =
        PublicListener.options(TestConfig.node(Path.of("unused")), Optional.empty());

    assertThat(options.getMaxWebSocketFrameSize()).isEqualTo(65_536);
    assertThat(options.getMaxWebSocketMessageSize()).isEqualTo(65_536);
    assertThat(options.getIdleTimeoutUnit()).isEqualTo(TimeUnit.MILLISECONDS);
    assertThat(options.getIdleTimeout()).isEqualTo(60_000);
  }
}
