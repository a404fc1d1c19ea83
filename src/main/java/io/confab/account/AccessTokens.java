package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.UUID;

/// Makes and reads access tokens: signed statements that say whose they are and until when.
/// Whether the sign-in still stands is not in them; the database says that.
public final class AccessTokens {
  private static final int MAX_LENGTH = 2_048;

  private final SigningKeys keys;
  private final InstantSource clock;
  private final Duration ttl;

  public AccessTokens(SigningKeys keys, InstantSource clock, Duration ttl) {
    this.keys = keys;
    this.clock = clock;
    this.ttl = ttl;
  }

  Duration ttl() {
    return ttl;
  }

  Future<Secret> issue(Authenticated signIn) {
    long now = clock.instant().getEpochSecond();
    return keys.ring()
        .map(
            ring -> {
              JsonObject claims =
                  new JsonObject()
                      .put("sub", signIn.caller().account().toString())
                      .put("device", signIn.caller().device().value())
                      .put("family", signIn.family().value().toString())
                      .put("iat", now)
                      .put("exp", now + ttl.toSeconds());
              return new Secret(ring.sign(claims));
            });
  }

  /// What a token says, and how long it is still good.
  record Statement(Authenticated signIn, Duration expiresIn) {}

  /// What a token says. Refusals: `token_expired`; `unauthorized` for all else that is wrong
  /// with it.
  Future<Statement> readWhole(Secret token) {
    if (token.value().length() > MAX_LENGTH) {
      return Future.failedFuture(unauthorized());
    }
    return Future.succeededFuture(token.value())
        .map(AccessTokens::keyId)
        .compose(keyId -> keys.ringFor(keyId).compose(ring -> verify(ring, keyId, token)));
  }

  private Future<Statement> verify(KeyRing ring, int keyId, Secret token) {
    if (!ring.has(keyId)) {
      return Future.failedFuture(unauthorized());
    }
    return ring.verify(keyId, token.value())
        .recover(_ -> Future.failedFuture(unauthorized()))
        .map(this::unexpired);
  }

  private Statement unexpired(JsonObject claims) {
    long left = claims.getLong("exp") - clock.instant().getEpochSecond();
    if (left <= 0) {
      throw new Refusal(ErrorCode.TOKEN_EXPIRED, "the access token has expired");
    }
    Caller caller =
        new Caller(
            AccountId.parse(claims.getString("sub")), new DeviceId(claims.getString("device")));
    FamilyId family = new FamilyId(UUID.fromString(claims.getString("family")));
    return new Statement(new Authenticated(caller, family), Duration.ofSeconds(left));
  }

  /// The key that a token names, provided that it names our algorithm.
  private static int keyId(String token) {
    try {
      String head = token.substring(0, Math.max(0, token.indexOf('.')));
      JsonObject header =
          new JsonObject(new String(Base64.getUrlDecoder().decode(head), StandardCharsets.UTF_8));
      if (KeyRing.ALGORITHM.equals(header.getValue("alg"))
          && header.getValue("kid") instanceof String kid) {
        return Integer.parseInt(kid);
      }
    } catch (RuntimeException _) {
      // Base64, JSON, a type or a number is wrong: all the same to the caller.
    }
    throw unauthorized();
  }

  private static Refusal unauthorized() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "the access token is not valid");
  }
}
