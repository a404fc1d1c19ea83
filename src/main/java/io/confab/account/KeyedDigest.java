package io.confab.account;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// HMAC-SHA256 (RFC 2104) with a key that all nodes share: always the same for a text, and nobody
/// without the key can compute it.
final class KeyedDigest {
  private static final String HMAC = "HmacSHA256";

  private final SecretKeySpec key;

  KeyedDigest(byte[] key) {
    this.key = new SecretKeySpec(key, HMAC);
  }

  byte[] of(String text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
