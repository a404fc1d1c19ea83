package io.confab.account;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/// The keys that sign access tokens (RFC 7519), each for HMAC-SHA-256 and nothing else: the
/// newest signs, all verify. Expiry is not looked at here.
///
/// One verifier per key, chosen by the token's `kid`, so that a token can neither name an
/// algorithm nor be tried against other keys.
record KeyRing(int newest, Map<Integer, JWTAuth> keys) {
  static final String ALGORITHM = "HS256";
  private static final String CONFAB = "confab";

  /// @param secrets by key id, at least one
  static KeyRing of(Vertx vertx, SortedMap<Integer, byte[]> secrets) {
    Map<Integer, JWTAuth> keys =
        secrets.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, e -> verifier(vertx, e.getKey(), e.getValue())));
    return new KeyRing(secrets.lastKey(), keys);
  }

  private static JWTAuth verifier(Vertx vertx, int keyId, byte[] secret) {
    JsonObject jwk =
        new JsonObject()
            .put("kty", "oct")
            .put("alg", ALGORITHM)
            .put("kid", Integer.toString(keyId))
            .put("k", Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    return JWTAuth.create(
        vertx,
        new JWTAuthOptions()
            .addJwk(jwk)
            .setJWTOptions(
                new JWTOptions()
                    .setAlgorithm(ALGORITHM)
                    .setIssuer(CONFAB)
                    .addAudience(CONFAB)
                    .setIgnoreExpiration(true)));
  }

  boolean has(int keyId) {
    return keys.containsKey(keyId);
  }

  String sign(JsonObject claims) {
    return key(newest)
        .generateToken(
            claims,
            new JWTOptions()
                .setAlgorithm(ALGORITHM)
                .setIssuer(CONFAB)
                .addAudience(CONFAB)
                .setNoTimestamp(true));
  }

  /// The claims of a token that was signed with this key, by us and for us; fails else.
  Future<JsonObject> verify(int keyId, String token) {
    return key(keyId)
        .authenticate(new TokenCredentials(token))
        .map(user -> user.attributes().getJsonObject("accessToken"));
  }

  private JWTAuth key(int keyId) {
    JWTAuth key = keys.get(keyId);
    if (key == null) {
      throw new IllegalArgumentException("no key " + keyId);
    }
    return key;
  }
}
