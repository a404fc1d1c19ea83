package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldHashTest {
  /// Digests are stored for ever. This one is of 8 bytes for the number, and of 4 bytes of length
  /// (-1 for what is absent) and UTF-8 for each text, big-endian, by another SHA-256.
  @Test
  void aDigestIsWhatItEverWas() {
    long digest =
        new FieldHash().add(7).add("text").add((String) null).add("é").add("").firstBytes();
    assertThat(Long.toHexString(digest)).isEqualTo("d12712c6d39d59f3");
  }

  @Test
  void fieldsDoNotRunIntoEachOther() {
    assertThat(new FieldHash().add("ab").add("c").firstBytes())
        .isNotEqualTo(new FieldHash().add("a").add("bc").firstBytes());
    assertThat(new FieldHash().add("").firstBytes())
        .isNotEqualTo(new FieldHash().add((String) null).firstBytes());
  }
}
