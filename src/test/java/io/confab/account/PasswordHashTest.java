package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.confab.config.Config;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PasswordHashTest {
  private static final Config.Argon2 COST = new Config.Argon2(64, 2, 1, 1);
  private static final byte[] SALT = "somesaltsomesalt".getBytes(StandardCharsets.UTF_8);

  @Test
  void aHashIsReadBackFromItsText() {
    String phc = PasswordHash.of("correct horse", SALT, COST).toString();
    assertThat(phc).startsWith("$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$");
    assertThat(PasswordHash.parse(phc).matches("correct horse")).isTrue();
    assertThat(PasswordHash.parse(phc).matches("correct Horse")).isFalse();
  }

  /// The test vector that the reference implementation's suite gives for these inputs.
  @Test
  void itAgreesWithTheReferenceImplementation() {
    String phc =
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ"
            + "$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    assertThat(PasswordHash.parse(phc).matches("password")).isTrue();
  }

  @Test
  void composedAndDecomposedLettersAreTheSamePassword() {
    PasswordHash hash = PasswordHash.of("caf\u00e9 noir", SALT, COST);
    assertThat(hash.matches("cafe\u0301 noir")).isTrue();
  }

  @Test
  void otherTextIsNoHash() {
    assertThatIllegalArgumentException().isThrownBy(() -> PasswordHash.parse("$argon2i$v=19$x"));
  }
}
