package io.confab.account;

import io.confab.config.Sha256;
import io.confab.protocol.Secret;
import java.security.SecureRandom;
import java.util.Base64;

/// A refresh token or ticket: 256 bits that mean nothing by themselves, as base64url. Only its
/// hash is stored; a plain SHA-256 will do, because there is nothing to guess.
record OpaqueToken(Secret text) {
  private static final int BYTES = 32;

  static OpaqueToken random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return of(bytes);
  }

  private static OpaqueToken of(byte[] bytes) {
    return new OpaqueToken(
        new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
  }

  /// What the database knows it by.
  byte[] hash() {
    return Sha256.of(text.value());
  }

  /// The token that follows this one: always the same, and computable only with the key.
  OpaqueToken successor(KeyedDigest digest) {
    return of(digest.of(text.value()));
  }
}
