package io.confab.account.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.config.TokenAlgorithm;
import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An issuer on loopback that behaves well and badly.
@ExtendWith(VertxExtension.class)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublishedKeysIT {
  private static final TokenMaker MAKER = TokenMaker.of(TokenAlgorithm.EDDSA, "ed");

  private final Vertx vertx;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final PublishedKeys keys;
  private HttpServer server;

  PublishedKeysIT(Vertx vertx) {
    this.vertx = vertx;
    this.keys = new PublishedKeys(vertx, Duration.ofSeconds(30));
  }

  @BeforeAll
  void serve() {
    server =
        Futures.get(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
  }

  private void answer(HttpServerRequest request) {
    asked.add(request.path());
    switch (request.path()) {
      case "/good" -> request.response().end(TokenMaker.jwks(MAKER));
      case "/redirect" ->
          request.response().setStatusCode(302).putHeader("location", "/good").end();
      case "/redirect-with-keys" ->
          request
              .response()
              .setStatusCode(307)
              .putHeader("location", "/good")
              .end(TokenMaker.jwks(MAKER));
      case "/error" -> request.response().setStatusCode(500).end(TokenMaker.jwks(MAKER));
      case "/html" -> request.response().end("<html>");
      case "/huge" -> request.response().end(Buffer.buffer("{\"keys\":[]}" + " ".repeat(300_000)));
      case "/endless" -> pour(request);
      case "/cut" -> {
        request.response().putHeader("content-length", "1000").write("{\"keys\":");
        request.connection().close();
      }
      case "/half" -> request.response().putHeader("content-length", "1000").write("{\"keys\":");
      default -> {} // never answers
    }
  }

  private static void pour(HttpServerRequest request) {
    request.response().setChunked(true);
    request.response().write(" ".repeat(10_000)).onSuccess(_ -> pour(request));
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.actualPort() + path;
  }

  @Test
  void keysAreRead() {
    assertThat(Futures.get(keys.read(url("/good"))))
        .extracting(VerificationKey::keyId)
        .containsExactly("ed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/redirect", "/redirect-with-keys"})
  void anIssuerThatSendsOneElsewhereIsNotFollowed(String path) {
    whatIsNoAnswerIsNone(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/error", "/html", "/huge", "/endless", "/cut"})
  void whatIsNoAnswerIsNone(String path) {
    asked.clear();
    assertThatThrownBy(() -> Futures.get(keys.read(url(path)))).isNotNull();
    assertThat(asked).containsExactly(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/half", "/never"})
  void whoTakesTooLongIsLeftAlone(String path) {
    PublishedKeys hasty = new PublishedKeys(vertx, Duration.ofMillis(200));
    assertThatThrownBy(() -> Futures.get(hasty.read(url(path)))).isNotNull();
  }

  @Test
  void whoDoesNotListenIsNoAnswer() {
    assertThatThrownBy(() -> Futures.get(keys.read("http://127.0.0.1:1/jwks"))).isNotNull();
  }
}
