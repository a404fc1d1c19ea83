package io.confab.account.outside;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.OutsideIssuer;
import io.confab.config.TokenAlgorithm;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Attacks on outside tokens, one by one, beside what is good.
@Timeout(60)
class OutsideTokensTest {
  private static final String ISSUER = "https://login.example.com";
  private static final String OTHER = "https://other.example.com";
  private static final String SECRET = "a secret of thirty-two bytes or more";
  private static final long NOW = 1_900_000_000;
  private static final Duration LEEWAY = Duration.ofSeconds(60);
  private static final TokenMaker HMAC = TokenMaker.hmac(SECRET);
  private static final TokenMaker RSA = TokenMaker.of(TokenAlgorithm.RS256, "rsa");
  private static final TokenMaker EC = TokenMaker.of(TokenAlgorithm.ES256, "ec");
  private static final TokenMaker ED = TokenMaker.of(TokenAlgorithm.EDDSA, "ed");
  private static final TokenMaker FOREIGN = TokenMaker.of(TokenAlgorithm.RS256, "rsa");

  private final List<String> fetched = new ArrayList<>();
  private final OutsideTokens tokens =
      tokens(
          new OutsideIssuer(
              ISSUER,
              "chat",
              List.of(TokenAlgorithm.values()),
              Optional.of(new Secret(SECRET)),
              List.of(RSA.pem(), EC.jwk().encode(), ED.pem()),
              Optional.empty()),
          new OutsideIssuer(
              OTHER,
              "chat",
              List.of(TokenAlgorithm.RS256),
              Optional.empty(),
              List.of(FOREIGN.jwk().encode()),
              Optional.empty()));

  private OutsideTokens tokens(OutsideIssuer... issuers) {
    return new OutsideTokens(
        List.of(issuers),
        url -> {
          fetched.add(url);
          return Future.failedFuture("nobody answers");
        },
        () -> Instant.ofEpochSecond(NOW));
  }

  private static TokenMaker maker(TokenAlgorithm algorithm) {
    return switch (algorithm) {
      case HS256 -> HMAC;
      case RS256 -> RSA;
      case ES256 -> EC;
      case EDDSA -> ED;
    };
  }

  private static JsonObject claims() {
    return new JsonObject()
        .put("iss", ISSUER)
        .put("aud", "chat")
        .put("sub", "42")
        .put("exp", NOW + 100);
  }

  private OutsideToken good(Secret token) {
    return Futures.get(tokens.verify(tokens.find(token).orElseThrow(), LEEWAY));
  }

  private void assertGood(JsonObject claims) {
    assertThat(good(RSA.sign(claims)).identity()).isEqualTo(new OutsideIdentity(ISSUER, "42"));
  }

  /// Whom nobody here knows is refused as well: it is looked at as a token of ours then.
  private void assertRefused(Secret token) {
    tokens
        .find(token)
        .ifPresent(
            found ->
                assertThat(refusal(tokens.verify(found, LEEWAY)))
                    .isEqualTo(ErrorCode.UNAUTHORIZED));
  }

  private void assertRefused(JsonObject claims) {
    Secret token = RSA.sign(claims);
    assertThat(refusal(tokens.verify(tokens.find(token).orElseThrow(), LEEWAY)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @ParameterizedTest
  @EnumSource(TokenAlgorithm.class)
  void everyAlgorithmIsTaken(TokenAlgorithm algorithm) {
    OutsideToken token = good(maker(algorithm).sign(claims()));
    assertThat(token)
        .isEqualTo(new OutsideToken(new OutsideIdentity(ISSUER, "42"), null, null, NOW + 100));
  }

  @ParameterizedTest
  @EnumSource(TokenAlgorithm.class)
  void aChangedTokenIsRefused(TokenAlgorithm algorithm) {
    TokenMaker maker = maker(algorithm);
    String[] parts = maker.sign(claims()).value().split("\\.", -1);
    String other = TokenMaker.encode(claims().put("sub", "43").encode());
    Secret changed = new Secret(parts[0] + "." + other + "." + parts[2]);
    assertThat(refusal(tokens.verify(tokens.find(changed).orElseThrow(), LEEWAY)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertRefused(new Secret(parts[0] + "." + parts[1] + ".AAAA"));
    assertRefused(new Secret(parts[0] + "." + parts[1] + "."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"none", "None", "NONE", "nOnE", "", " none", "HS512", "hs256", "RS512", "ES384"})
  void anyOtherAlgorithmIsNotEvenLookedAt(String name) {
    JsonObject header = HMAC.header().put("alg", name);
    String unsigned =
        TokenMaker.encode(header.encode()) + "." + TokenMaker.encode(claims().encode());
    assertThat(tokens.find(new Secret(unsigned + "."))).isEmpty();
    assertThat(tokens.find(new Secret(unsigned))).isEmpty();
    assertThat(tokens.find(HMAC.sign(header, claims()))).isEmpty();
  }

  @Test
  void anAlgorithmThatIsNoTextIsNotEvenLookedAt() {
    for (Object alg : new Object[] {256, true, new JsonArray().add("HS256"), new JsonObject()}) {
      assertThat(tokens.find(HMAC.sign(HMAC.header().put("alg", alg), claims()))).isEmpty();
    }
    JsonObject without = HMAC.header();
    without.remove("alg");
    assertThat(tokens.find(HMAC.sign(without, claims()))).isEmpty();
  }

  @Test
  void aPublicKeyIsNoSecret() {
    for (byte[] key :
        List.of(
            RSA.pem().getBytes(StandardCharsets.UTF_8),
            RSA.pem().strip().getBytes(StandardCharsets.UTF_8),
            RSA.publicKey().getEncoded(),
            RSA.jwk().encode().getBytes(StandardCharsets.UTF_8))) {
      TokenMaker confused = new TokenMaker(TokenAlgorithm.HS256, "rsa", key, RSA.pair());
      assertRefused(confused.sign(claims()));
      assertRefused(confused.sign(RSA.header(), claims()));
      assertRefused(confused.sign(claims().put("iss", OTHER)));
    }
  }

  @Test
  void anAlgorithmThatTheIssuerDoesNotUseIsRefused() {
    OutsideTokens onlyEd =
        tokens(
            new OutsideIssuer(
                ISSUER,
                "chat",
                List.of(TokenAlgorithm.EDDSA),
                Optional.empty(),
                List.of(RSA.pem(), ED.pem()),
                Optional.empty()));
    Secret token = RSA.sign(claims());
    assertThat(refusal(onlyEd.verify(onlyEd.find(token).orElseThrow(), LEEWAY)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void theSameKeyIdOfAnotherIssuerIsAnotherKey() {
    assertRefused(FOREIGN.sign(claims()));
    assertRefused(RSA.sign(claims().put("iss", OTHER)));
    assertThat(good(FOREIGN.sign(claims().put("iss", OTHER))).identity())
        .isEqualTo(new OutsideIdentity(OTHER, "42"));
  }

  @Test
  void theSameKeyIdPublishedByAnotherIssuerIsAnotherKey() {
    Map<String, TokenMaker> published = Map.of(ISSUER + "/keys", RSA, OTHER + "/keys", FOREIGN);
    OutsideTokens both =
        new OutsideTokens(
            List.of(publishing(ISSUER), publishing(OTHER)),
            url ->
                Future.succeededFuture(
                    PublicKeys.ofSet(TokenMaker.jwks(Objects.requireNonNull(published.get(url))))
                        .orElseThrow()),
            () -> Instant.ofEpochSecond(NOW));
    for (int round = 0; round < 2; round++) { // the keys are read, then known
      for (JsonObject claims : List.of(claims(), claims().put("iss", OTHER))) {
        boolean own = claims.getString("iss").equals(ISSUER);
        Secret good = (own ? RSA : FOREIGN).sign(claims);
        Secret bad = (own ? FOREIGN : RSA).sign(claims);
        assertThat(Futures.get(both.verify(both.find(good).orElseThrow(), LEEWAY))).isNotNull();
        assertThat(refusal(both.verify(both.find(bad).orElseThrow(), LEEWAY)))
            .isEqualTo(ErrorCode.UNAUTHORIZED);
      }
    }
  }

  private static OutsideIssuer publishing(String issuer) {
    return new OutsideIssuer(
        issuer,
        "chat",
        List.of(TokenAlgorithm.RS256),
        Optional.empty(),
        List.of(),
        Optional.of(issuer + "/keys"));
  }

  @Test
  void anIssuerWhomNobodyNamedIsNotLookedAt() {
    for (Object issuer :
        new Object[] {"confab", ISSUER + "/", "", 1, new JsonArray().add(ISSUER)}) {
      assertThat(tokens.find(RSA.sign(claims().put("iss", issuer)))).isEmpty();
    }
    JsonObject without = claims();
    without.remove("iss");
    assertThat(tokens.find(RSA.sign(without))).isEmpty();
  }

  @Test
  void itMustBeForUs() {
    assertGood(claims().put("aud", new JsonArray().add("mail").add("chat")));
    for (Object audience :
        new Object[] {
          "mail", "Chat", "", 1, new JsonArray(), new JsonArray().add("mail"), new JsonObject()
        }) {
      assertRefused(claims().put("aud", audience));
    }
    JsonObject without = claims();
    without.remove("aud");
    assertRefused(without);
  }

  @Test
  void itsEndMayBeAMinuteAgo() {
    assertGood(claims().put("exp", NOW + 61));
    assertGood(claims().put("exp", NOW - 59));
    for (long ago : new long[] {60, 61, 1_000, NOW}) {
      Secret token = RSA.sign(claims().put("exp", NOW - ago));
      assertThat(refusal(tokens.verify(tokens.find(token).orElseThrow(), LEEWAY)))
          .isEqualTo(ErrorCode.TOKEN_EXPIRED);
    }
  }

  @Test
  void itsBeginningMayBeAMinuteAhead() {
    assertGood(claims().put("nbf", NOW - 1_000));
    assertGood(claims().put("nbf", NOW - 61));
    assertGood(claims().put("nbf", NOW + 60));
    assertRefused(claims().put("nbf", NOW + 61));
    assertRefused(claims().put("nbf", "now"));
  }

  @Test
  void itsEndIsANumberThatTimeReaches() {
    assertGood(claims().put("exp", NOW + 0.5));
    assertGood(claims().put("exp", 253_402_300_799L));
    for (String exp :
        List.of("1e300", "9223372036854775807", "253402300800", "-1", "\"2000000000\"", "true")) {
      assertRefused(
          RSA.sign(RSA.header().encode(), claims().encode().replace(NOW + 100 + "", exp)));
    }
    assertRefused(
        RSA.sign(RSA.header().encode(), claims().encode().replace(NOW + 100 + "", "9".repeat(99))));
    JsonObject without = claims();
    without.remove("exp");
    assertRefused(without);
  }

  @Test
  void itsSubjectIsAText() {
    for (Object subject :
        new Object[] {1, true, "", "x".repeat(256), "a\0b", "a\nb", new JsonArray().add("42")}) {
      assertRefused(claims().put("sub", subject));
    }
    assertRefused(claims().putNull("sub"));
    JsonObject without = claims();
    without.remove("sub");
    assertRefused(without);
  }

  @Test
  void whatCouldBeReadInTwoWaysIsNotRead() {
    String twice = claims().encode().replace("{", "{\"sub\":\"1\",");
    assertThat(tokens.find(RSA.sign(RSA.header().encode(), twice))).isEmpty();
    String header = RSA.header().encode();
    assertThat(tokens.find(RSA.sign(header.replace("{", "{\"alg\":\"none\","), twice))).isEmpty();
    assertThat(tokens.find(RSA.sign(header, claims().encode() + "{}"))).isEmpty();
    assertThat(tokens.find(RSA.sign(header, "[]"))).isEmpty();
  }

  @Test
  void keysThatATokenBringsAreNotUsed() {
    TokenMaker attacker = TokenMaker.of(TokenAlgorithm.RS256, "rsa");
    String url = "http://127.0.0.1:9/jwks";
    assertRefused(attacker.sign(attacker.header().put("jwk", attacker.jwk()), claims()));
    for (String name : List.of("jku", "x5u", "x5c")) {
      assertRefused(attacker.sign(attacker.header().put(name, url), claims()));
    }
    assertThat(good(RSA.sign(RSA.header().put("jku", url), claims()))).isNotNull();
    assertThat(fetched).isEmpty();
  }

  @Test
  void whatDemandsToBeUnderstoodIsRefused() {
    JsonObject header = RSA.header().put("crit", new JsonArray().add("b64")).put("b64", false);
    assertThat(tokens.find(RSA.sign(header, claims()))).isEmpty();
  }

  @Test
  void keyIdsOfNoSenseFindNoKey() {
    for (Object kid : new Object[] {1, new JsonArray(), "x".repeat(256)}) {
      assertThat(tokens.find(EC.sign(EC.header().put("kid", kid), claims()))).isEmpty();
    }
    assertRefused(EC.sign(EC.header().put("kid", "another"), claims()));
  }

  @Test
  void eightKilobytesAreTheMost() {
    assertThat(tokens.find(new Secret("x".repeat(1_000_000)))).isEmpty();
    assertThat(tokens.find(RSA.sign(claims().put("more", "x".repeat(1_000_000))))).isEmpty();
    assertThat(tokens.find(new Secret(RSA.sign(claims()).value() + "A".repeat(8_192)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "...", "a.b.c", "e30.e30.e30", "bot_secret", "\0.\0.\0"})
  void garbageIsNotLookedAt(String text) {
    assertThat(tokens.find(new Secret(text))).isEmpty();
  }

  @Test
  void wishesAreTakenIfTheyFit() {
    OutsideToken token =
        good(RSA.sign(claims().put("preferred_username", "Ann.Lee").put("name", "Ann Lee")));
    assertThat(token.handle()).isEqualTo("ann.lee");
    assertThat(token.name()).isEqualTo("Ann Lee");
    OutsideToken other =
        good(RSA.sign(claims().put("preferred_username", "ann@lee").put("name", 7)));
    assertThat(other.handle()).isNull();
    assertThat(other.name()).isNull();
  }
}
