package io.confab.account.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.OutsideIssuer;
import io.confab.config.TokenAlgorithm;
import io.confab.protocol.ErrorCode;
import io.confab.testing.Futures;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// An issuer that dies without a word: open connections stay open and carry nothing, new ones
/// work.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SilentIssuerIT {
  private static final TokenMaker OLD = TokenMaker.of(TokenAlgorithm.ES256, "old");
  private static final TokenMaker NEW = TokenMaker.of(TokenAlgorithm.ES256, "new");

  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final PublishedKeys patient;
  private volatile PublishedKeys reader;
  private volatile String published = TokenMaker.jwks(OLD);
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private TcpProxy way;
  private IssuerKeys keys;

  SilentIssuerIT(Vertx vertx) {
    this.vertx = vertx;
    this.patient = new PublishedKeys(vertx, LONG);
    this.reader = patient;
  }

  @BeforeEach
  void serve() {
    HttpServer issuer =
        Futures.get(
            vertx
                .createHttpServer()
                .requestHandler(request -> request.response().end(published))
                .listen(0, "127.0.0.1"));
    way = TcpProxy.before("http://127.0.0.1:" + issuer.actualPort(), Filter::none);
    keys =
        new IssuerKeys(
            new OutsideIssuer(
                "issuer",
                "chat",
                List.of(TokenAlgorithm.ES256),
                Optional.empty(),
                List.of(),
                Optional.of(way.url() + "/jwks")),
            url -> reader.read(url),
            () -> now);
    assertThat(Futures.get(find("old"))).hasSize(1);
    published = TokenMaker.jwks(OLD, NEW);
    now = now.plus(Duration.ofMinutes(1)); // the issuer may be asked again
  }

  @AfterEach
  void close() {
    way.close();
  }

  private Future<List<VerificationKey>> find(String keyId) {
    return keys.find(TokenAlgorithm.ES256, keyId);
  }

  @Test
  void aQuestionThatIsNotAnsweredEndsAndTheNextOneGoesOverANewConnection() {
    way.conduct(Conduct.HOLD);
    reader = new PublishedKeys(vertx, SHORT);
    Future<List<VerificationKey>> unanswered = find("new");
    assertThat(Futures.get(find("old"))).as("known, so nobody waits").hasSize(1);
    assertThat(Futures.refusal(unanswered)).isEqualTo(ErrorCode.UNAVAILABLE);
    way.silence();
    way.conduct(Conduct.PASS);
    reader = patient;
    now = now.plus(Duration.ofMinutes(1));
    assertThat(Futures.get(find("new"))).hasSize(1);
  }

  @Test
  void noQuestionGoesOverTheConnectionOfOneBefore() {
    way.silence();
    assertThat(Futures.get(find("new"))).hasSize(1);
  }
}
