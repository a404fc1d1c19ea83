package io.confab.client.sealed;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/// What a new device shows and a person types on an old one: nine letters of five random bits each,
/// and one that tells most slips. Good for one try. Its text form hides it.
public final class LinkCode {
  private static final int LETTERS = 10;
  private static final int GROUP = 5;

  private final String letters;

  private LinkCode(String letters) {
    this.letters = letters;
  }

  static LinkCode make(SecureRandom random) {
    byte[] bytes = new byte[GROUP * 2];
    random.nextBytes(bytes);
    String secret = Letters32.of(bytes).substring(0, LETTERS - 1);
    return new LinkCode(secret + check(secret));
  }

  /// Reads what a person typed; empty: it has a slip.
  public static Optional<LinkCode> read(String typed) {
    String letters = Letters32.plain(typed);
    boolean whole =
        letters.length() == LETTERS && letters.endsWith(check(letters.substring(0, LETTERS - 1)));
    return whole ? Optional.of(new LinkCode(letters)) : Optional.empty();
  }

  /// In two groups of five letters and digits.
  public String text() {
    return Letters32.grouped(letters, GROUP);
  }

  byte[] secret() {
    return letters.getBytes(StandardCharsets.US_ASCII);
  }

  private static String check(String secret) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return Letters32.of(Arrays.copyOf(hash, GROUP)).substring(0, 1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return "***";
  }
}
