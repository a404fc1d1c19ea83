package io.confab.account.outside;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.config.InvalidConfigException;
import io.confab.config.OutsideIssuer;
import io.confab.config.TokenAlgorithm;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IssuerKeysTest {
  private static final TokenMaker OLD = TokenMaker.of(TokenAlgorithm.ES256, "old");
  private static final TokenMaker NEW = TokenMaker.of(TokenAlgorithm.ES256, "new");

  private final Deque<Promise<List<VerificationKey>>> reads = new ArrayDeque<>();
  private int readCount;
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final IssuerKeys keys =
      new IssuerKeys(
          new OutsideIssuer(
              "issuer",
              "chat",
              List.of(TokenAlgorithm.ES256),
              Optional.empty(),
              List.of(),
              Optional.of("https://example.com/jwks")),
          _ -> read(),
          () -> now);

  private Future<List<VerificationKey>> read() {
    readCount++;
    Promise<List<VerificationKey>> read = Promise.promise();
    reads.add(read);
    return read.future();
  }

  private Future<List<VerificationKey>> find(String keyId) {
    return keys.find(TokenAlgorithm.ES256, keyId);
  }

  private List<String> found(String keyId) {
    return Futures.get(find(keyId)).stream().map(VerificationKey::keyId).toList();
  }

  private void publish(TokenMaker... makers) {
    reads.pop().complete(PublicKeys.ofSet(TokenMaker.jwks(makers)).orElseThrow());
  }

  private void know(TokenMaker... makers) {
    Future<?> first = find("old");
    publish(makers);
    Futures.get(first);
  }

  private void later(Duration time) {
    now = now.plus(time);
  }

  @Test
  void allWhoNeedAKeyShareOneRead() {
    List<Future<List<VerificationKey>>> asked =
        IntStream.range(0, 50).mapToObj(i -> find(i % 2 == 0 ? "old" : "none")).toList();
    publish(OLD);
    assertThat(Futures.get(asked.getFirst())).hasSize(1);
    assertThat(Futures.get(asked.getLast())).isEmpty();
    assertThat(readCount).isEqualTo(1);
  }

  @Test
  void anUnknownKeyIsLookedForOnceInThirtySeconds() {
    know(OLD);
    for (int i = 0; i < 100; i++) {
      assertThat(found("made-up-" + i)).isEmpty();
    }
    later(Duration.ofSeconds(29));
    assertThat(found("new")).isEmpty();
    assertThat(readCount).isEqualTo(1);
    later(Duration.ofSeconds(1));
    Future<List<VerificationKey>> rotated = find("new");
    publish(OLD, NEW);
    assertThat(Futures.get(rotated)).hasSize(1);
    assertThat(readCount).isEqualTo(2);
  }

  @Test
  void keysThatAreKnownCostNoReadUntilTheyAreOld() {
    know(OLD);
    later(Duration.ofMinutes(9));
    assertThat(found("old")).containsExactly("old");
    assertThat(readCount).isEqualTo(1);
    later(Duration.ofMinutes(1));
    assertThat(found("old")).containsExactly("old"); // nobody waits for it
    assertThat(readCount).isEqualTo(2);
    publish(NEW);
    assertThat(found("new")).containsExactly("new");
    assertThat(found("old")).as("withdrawn").isEmpty();
  }

  @Test
  void keysStayGoodWhileTheIssuerIsDown() {
    know(OLD);
    for (int hour = 0; hour < 48; hour++) {
      later(Duration.ofHours(1));
      assertThat(found("old")).containsExactly("old");
      reads.pop().fail("down");
      assertThat(found("old")).containsExactly("old");
      assertThat(reads).isEmpty();
    }
  }

  @Test
  void keysStayGoodWhenTheIssuerPublishesNone() {
    know(OLD);
    later(Duration.ofHours(1));
    assertThat(found("old")).containsExactly("old");
    publish();
    assertThat(found("old")).containsExactly("old");
  }

  @Test
  void aTokenThatNobodyCanJudgeIsUnavailableAndTheIssuerIsAskedAgain() {
    Future<?> first = find("old");
    reads.pop().fail("down");
    assertThat(refusal(first)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(refusal(find("old"))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(readCount).isEqualTo(1);
    later(Duration.ofSeconds(30));
    know(OLD);
    assertThat(found("old")).containsExactly("old");
  }

  @Test
  void keysOfTheConfigurationNeedNoIssuer() {
    IssuerKeys configured =
        new IssuerKeys(
            new OutsideIssuer(
                "issuer",
                "chat",
                List.of(TokenAlgorithm.values()),
                Optional.of(new Secret("s".repeat(32))),
                List.of(OLD.pem(), NEW.jwk().encode()),
                Optional.empty()),
            _ -> read(),
            () -> now);
    assertThat(Futures.get(configured.find(TokenAlgorithm.ES256, "new"))).hasSize(2);
    assertThat(Futures.get(configured.find(TokenAlgorithm.ES256, "x"))).hasSize(1);
    assertThat(Futures.get(configured.find(TokenAlgorithm.HS256, null))).hasSize(1);
    assertThat(readCount).isZero();
  }

  @Test
  void ofASetOnlyPublicKeysForSignaturesAreTaken() {
    TokenMaker rsa = TokenMaker.of(TokenAlgorithm.RS256, "rsa");
    JsonObject good = rsa.jwk();
    String set =
        new JsonObject()
            .put(
                "keys",
                List.of(
                    new JsonObject().put("kty", "oct").put("k", "c2VjcmV0").put("kid", "oct"),
                    OLD.jwk().put("d", "AQAB"),
                    OLD.jwk().put("use", "enc"),
                    OLD.jwk().put("alg", "RS256"),
                    OLD.jwk().put("crv", "P-384"),
                    good.copy().put("n", "AQAB"),
                    good.copy().put("e", good.getString("n")),
                    good.copy().put("n", "***"),
                    good.copy().put("kid", "ops").put("key_ops", List.of("unheard-of")),
                    good.copy().put("kid", "x5c").put("x5c", List.of("AAAA")),
                    new JsonObject(),
                    good))
            .encode();
    assertThat(PublicKeys.ofSet(set).orElseThrow())
        .extracting(VerificationKey::keyId)
        .containsExactly("rsa");
    assertThat(PublicKeys.ofSet("[]")).isEmpty();
    assertThat(PublicKeys.ofSet("{\"keys\":{}}")).isEmpty();
    assertThat(PublicKeys.ofSet("<html>")).isEmpty();
  }

  @Test
  void whatIsNoPublicKeyIsNotConfigured() {
    for (String text :
        List.of("", "key", "{}", OLD.pem().replace("PUBLIC", "PRIVATE"), OLD.pem().substring(40))) {
      OutsideIssuer issuer =
          new OutsideIssuer(
              "issuer",
              "chat",
              List.of(TokenAlgorithm.ES256),
              Optional.empty(),
              List.of(text),
              Optional.empty());
      assertThatThrownBy(() -> new IssuerKeys(issuer, _ -> read(), () -> now))
          .isInstanceOf(InvalidConfigException.class)
          .hasMessageStartingWith("accounts.issuers");
    }
  }
}
