package io.confab.account;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Tokens;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Forged and foreign access tokens, made with and without the real key.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class AccessTokensIT {
  private static final byte[] KEY = new byte[32];

  private TestDatabase database;
  private AccountNode node;
  private JsonObject header;
  private JsonObject claims;

  @BeforeAll
  void open(Vertx vertx) {
    database = TestDatabase.create();
    database.execute("INSERT INTO signing_key VALUES (1, decode(repeat('00', 32), 'hex'))");
    node = new AccountNode(vertx, database.url());
    node.signUp("ann");
    Tokens tokens = node.signIn("ann", null);
    String[] parts = tokens.accessToken().value().split("\\.", -1);
    header = decode(parts[0]);
    claims = decode(parts[1]);
  }

  @AfterAll
  void close() {
    node.close();
    database.close();
  }

  private static JsonObject decode(String part) {
    return new JsonObject(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String signed(JsonObject head, JsonObject body, String mac, byte[] key) {
    String text = encode(head.toBuffer().getBytes()) + "." + encode(body.toBuffer().getBytes());
    try {
      Mac hmac = Mac.getInstance(mac);
      hmac.init(new SecretKeySpec(key, mac));
      return text + "." + encode(hmac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private ErrorCode refused(String token) {
    return refusal(node.authenticate(new Secret(token)));
  }

  private ErrorCode refusedWith(String claim, Object value) {
    return refused(signed(header, claims.copy().put(claim, value), "HmacSHA256", KEY));
  }

  @Test
  void theSameTokenMadeByHandIsGood() {
    Futures.get(node.authenticate(new Secret(signed(header, claims, "HmacSHA256", KEY))));
  }

  @Test
  void noAlgorithmButOursIsTaken() {
    String none = encode(header.copy().put("alg", "none").toBuffer().getBytes());
    String body = encode(claims.toBuffer().getBytes());
    assertThat(refused(none + "." + body + ".")).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refused(none + "." + body)).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refused(signed(header.copy().put("alg", "HS512"), claims, "HmacSHA512", KEY)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refused(signed(header.copy().put("alg", "RS256"), claims, "HmacSHA256", KEY)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void otherKeysAndChangedClaimsAreRefused() {
    assertThat(refused(signed(header, claims, "HmacSHA256", new byte[] {1})))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    for (Object kid : new Object[] {"2", "x", "", 1, "-1", "99999999999"}) {
      assertThat(refused(signed(header.copy().put("kid", kid), claims, "HmacSHA256", KEY)))
          .isEqualTo(ErrorCode.UNAUTHORIZED);
    }
    String[] parts = signed(header, claims, "HmacSHA256", KEY).split("\\.", -1);
    String later = encode(claims.copy().put("exp", Long.MAX_VALUE).toBuffer().getBytes());
    assertThat(refused(parts[0] + "." + later + "." + parts[2])).isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void issuerAndAudienceAreOurs() {
    assertThat(refusedWith("iss", "other")).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusedWith("aud", "other")).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusedWith("exp", node.now.getEpochSecond())).isEqualTo(ErrorCode.TOKEN_EXPIRED);
  }

  @Test
  void garbageIsRefused() {
    for (String text : new String[] {"", ".", "..", "a.b.c", "x".repeat(1_000_000), "....."}) {
      assertThat(refused(text)).isEqualTo(ErrorCode.UNAUTHORIZED);
    }
  }

  @Test
  void anySignatureButItsOwnIsRefused() {
    String[] parts = signed(header, claims, "HmacSHA256", KEY).split("\\.", -1);
    byte[] signature = Base64.getUrlDecoder().decode(parts[2]);
    for (int i = 0; i < signature.length; i++) {
      byte[] changed = signature.clone();
      changed[i] ^= 1;
      assertThat(refused(parts[0] + "." + parts[1] + "." + encode(changed)))
          .isEqualTo(ErrorCode.UNAUTHORIZED);
    }
    for (String other : new String[] {"", "AAAA", parts[2].substring(0, 42), parts[2] + "AAAA"}) {
      assertThat(refused(parts[0] + "." + parts[1] + "." + other))
          .isEqualTo(ErrorCode.UNAUTHORIZED);
    }
  }

  @Test
  void aMegabyteIsRefusedThoughItIsSigned() {
    assertThat(refusedWith("more", "x".repeat(1_000_000))).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(
            refused(
                signed(
                    header.copy().put("more", "x".repeat(1_000_000)), claims, "HmacSHA256", KEY)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void itIsGoodToTheSecond() {
    long now = node.now.getEpochSecond();
    Futures.get(
        node.authenticate(
            new Secret(signed(header, claims.copy().put("exp", now + 1), "HmacSHA256", KEY))));
    for (long ago : new long[] {0, 1, 61}) {
      assertThat(refusedWith("exp", now - ago)).isEqualTo(ErrorCode.TOKEN_EXPIRED);
    }
  }

  @Test
  void keysThatATokenBringsAreNotUsed() {
    byte[] own = new byte[] {1, 2, 3};
    JsonObject jwk =
        new JsonObject()
            .put("kty", "oct")
            .put("kid", "1")
            .put("alg", "HS256")
            .put("k", encode(own));
    for (String name : new String[] {"jku", "x5u"}) {
      assertThat(
              refused(
                  signed(
                      header.copy().put(name, "http://127.0.0.1:9/jwks"),
                      claims,
                      "HmacSHA256",
                      own)))
          .isEqualTo(ErrorCode.UNAUTHORIZED);
    }
    assertThat(refused(signed(header.copy().put("jwk", jwk), claims, "HmacSHA256", own)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
  }
}
