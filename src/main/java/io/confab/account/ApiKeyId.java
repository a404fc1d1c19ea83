package io.confab.account;

import io.confab.config.Sha256;
import io.confab.protocol.Secret;
import java.util.HexFormat;
import java.util.Optional;

/// Tells API keys apart without being one: the first half of its SHA-256 in hexadecimal, empty for
/// no key.
public record ApiKeyId(String hex) {
  private static final int BYTES = 16;

  public static ApiKeyId of(Optional<Secret> key) {
    return new ApiKeyId(key.map(secret -> Sha256.hex(secret.value(), BYTES)).orElse(""));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }
}
