package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.confab.config.Config;
import io.confab.protocol.Secret;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PasswordSaltTest {
  private static final PasswordSalt SALT =
      PasswordSalt.of(
          new Config.Argon2(64, 2, 1, 1), "somesaltsomesalt".getBytes(StandardCharsets.UTF_8));

  @Test
  void aHashBeginsWithItsSalt() {
    HashedPassword hash = SALT.hash(new Secret("correct horse"));
    assertThat(SALT.phc()).isEqualTo("$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHRzb21lc2FsdA");
    assertThat(hash.phc()).startsWith(SALT.phc() + "$");
    assertThat(SALT.hash(new Secret("correct horse"))).isEqualTo(hash);
    assertThat(SALT.hash(new Secret("correct Horse")).proof()).isNotEqualTo(hash.proof());
  }

  /// The test vector that the reference implementation's suite gives for these inputs.
  @Test
  void itAgreesWithTheReferenceImplementation() {
    PasswordSalt salt = new PasswordSalt("$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ");
    assertThat(salt.hash(new Secret("password")).phc())
        .isEqualTo(salt.phc() + "$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");
  }

  @Test
  void composedAndDecomposedLettersAreTheSamePassword() {
    assertThat(SALT.hash(new Secret("cafe\u0301 noir")))
        .isEqualTo(SALT.hash(new Secret("caf\u00e9 noir")));
  }

  @Test
  void noHashIsPrinted() {
    HashedPassword hash = SALT.hash(new Secret("correct horse"));
    assertThat(hash + "," + hash.proof()).isEqualTo("***,***");
  }

  @Test
  void otherTextIsNoSalt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PasswordSalt("$argon2i$v=19$x").hash(new Secret("correct horse")));
  }
}
