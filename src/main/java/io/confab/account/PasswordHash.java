package io.confab.account;

import io.confab.config.Config;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/// A password under Argon2id (RFC 9106) with the cost it was made at. Its text is the PHC
/// string `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, so that costs may change while old hashes
/// stay good.
///
/// Passwords are taken in the form NFKC, so that keyboards which compose letters differently
/// agree.
record PasswordHash(int memoryKib, int iterations, int parallelism, byte[] salt, byte[] hash) {
  static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final Pattern PHC =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=(\\d{1,9}),t=(\\d{1,9}),p=(\\d{1,9})"
              + "\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

  /// Hashes; slow on purpose, and needs `memoryKib` of memory.
  static PasswordHash of(String password, byte[] salt, Config.Argon2 cost) {
    PasswordHash empty =
        new PasswordHash(
            cost.memoryKib(), cost.iterations(), cost.parallelism(), salt, new byte[0]);
    return empty.withHash(empty.compute(password, HASH_BYTES));
  }

  static PasswordHash parse(String phc) {
    Matcher matcher = PHC.matcher(phc);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not an Argon2id hash in PHC form");
    }
    Base64.Decoder decoder = Base64.getDecoder();
    return new PasswordHash(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)),
        decoder.decode(matcher.group(4)),
        decoder.decode(matcher.group(5)));
  }

  /// Whether this is the hash of `password`; as slow as hashing, whatever the answer.
  boolean matches(String password) {
    return MessageDigest.isEqual(hash, compute(password, hash.length));
  }

  private PasswordHash withHash(byte[] computed) {
    return new PasswordHash(memoryKib, iterations, parallelism, salt, computed);
  }

  private byte[] compute(String password, int length) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(memoryKib)
            .withIterations(iterations)
            .withParallelism(parallelism)
            .withSalt(salt)
            .build());
    byte[] computed = new byte[length];
    String normalized = Normalizer.normalize(password, Normalizer.Form.NFKC);
    generator.generateBytes(normalized.getBytes(StandardCharsets.UTF_8), computed);
    return computed;
  }

  /// The PHC string.
  @Override
  public String toString() {
    Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
        .formatted(
            memoryKib,
            iterations,
            parallelism,
            encoder.encodeToString(salt),
            encoder.encodeToString(hash));
  }
}
