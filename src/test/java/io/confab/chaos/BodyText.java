package io.confab.chaos;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/// Bodies of messages: each names its message, so that none can stand for another.
final class BodyText {
  private static final String[] WORDS = {"one ", "zwei ", "três ", "四 ", "🙂 ", "\"\\ ", "<b> "};
  private static final int MOST_WORDS = 30;

  private BodyText() {}

  static String of(String clientId, RandomGenerator random) {
    StringBuilder body = new StringBuilder(clientId).append(':').append(' ');
    for (int i = random.nextInt(MOST_WORDS); i >= 0; i--) {
      body.append(WORDS[random.nextInt(WORDS.length)]);
    }
    return body.append('.').toString();
  }

  /// The first 8 bytes of SHA-256, in hex.
  static String hash(String body) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
