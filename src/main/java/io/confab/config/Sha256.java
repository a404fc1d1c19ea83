package io.confab.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 (FIPS 180-4), which every Java has.
public final class Sha256 {
  private Sha256() {}

  /// The digest of a text in UTF-8.
  public static byte[] of(String text) {
    return start().digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The first bytes of the digest of a text, in hexadecimal.
  public static String hex(String text, int bytes) {
    return HexFormat.of().formatHex(of(text), 0, bytes);
  }

  /// A digest of what comes in parts.
  public static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
