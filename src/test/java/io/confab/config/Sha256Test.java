package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Sha256Test {
  /// FIPS 180-4, as NIST's examples show it.
  @Test
  void theDigestIsThatOfTheStandard() {
    assertThat(Sha256.hex("abc", 32))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(Sha256.hex("abc", 4)).isEqualTo("ba7816bf");
    assertThat(Sha256.start().digest()).isEqualTo(Sha256.of(""));
  }
}
