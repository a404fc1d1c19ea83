package io.confab.account;

import io.confab.bus.BusMessage;
import io.confab.config.Config;
import io.confab.protocol.Secret;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/// What turns a password into its hash: the cost of Argon2id (RFC 9106) and a salt, as the PHC
/// string without a hash, `$argon2id$v=19$m=…,t=…,p=…$salt`. So costs may change while old hashes
/// stay good.
public record PasswordSalt(String phc) implements BusMessage {
  static final int BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final Base64.Encoder BASE64 = Base64.getEncoder().withoutPadding();
  private static final Pattern FORM =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=(\\d{1,9}),t=(\\d{1,9}),p=(\\d{1,9})\\$([A-Za-z0-9+/]+)");

  static PasswordSalt of(Config.Argon2 cost, byte[] salt) {
    return new PasswordSalt(
        "$argon2id$v=19$m=%d,t=%d,p=%d$%s"
            .formatted(
                cost.memoryKib(),
                cost.iterations(),
                cost.parallelism(),
                BASE64.encodeToString(salt)));
  }

  /// Hashes; slow on purpose, and needs the memory of its cost. Passwords are taken in the form
  /// NFKC, so that keyboards which compose letters differently agree.
  public HashedPassword hash(Secret password) {
    Matcher parts = FORM.matcher(phc);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not the salt of an Argon2id hash in PHC form");
    }
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(Integer.parseInt(parts.group(1)))
            .withIterations(Integer.parseInt(parts.group(2)))
            .withParallelism(Integer.parseInt(parts.group(3)))
            .withSalt(Base64.getDecoder().decode(parts.group(4)))
            .build());
    byte[] hash = new byte[HASH_BYTES];
    String normalized = Normalizer.normalize(password.value(), Normalizer.Form.NFKC);
    generator.generateBytes(normalized.getBytes(StandardCharsets.UTF_8), hash);
    return new HashedPassword(phc + "$" + BASE64.encodeToString(hash));
  }
}
