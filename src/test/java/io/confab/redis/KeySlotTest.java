package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// The vectors are those of the Redis Cluster specification and of `CLUSTER KEYSLOT`.
class KeySlotTest {
  @Test
  void theChecksumIsXmodem() {
    assertThat(KeySlot.crc16("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0x31C3);
    assertThat(KeySlot.of("123456789")).isEqualTo(0x31C3 % KeySlot.COUNT);
    assertThat(KeySlot.of("foo")).isEqualTo(12182);
    assertThat(KeySlot.of("")).isZero();
  }

  @Test
  void onlyTheFirstTagCountsIfItIsNotEmpty() {
    assertSameSlot("{user1000}.following", "user1000");
    assertSameSlot("{user1000}.following", "{user1000}.followers");
    assertSameSlot("foo{{bar}}zap", "{bar");
    assertSameSlot("foo{bar}{zap}", "bar");
    assertThat(KeySlot.of("foo{}{bar}")).isEqualTo(8363);
    assertThat(KeySlot.of("foo{}{bar}")).isNotEqualTo(KeySlot.of("bar"));
    assertThat(KeySlot.of("}{x")).isNotEqualTo(KeySlot.of("x"));
  }

  @Test
  void bytesAboveAsciiCountAsTheyAreSent() {
    assertSameSlot("a{ünal}b", "ünal");
  }

  private static void assertSameSlot(String one, String other) {
    assertThat(KeySlot.of(one)).isEqualTo(KeySlot.of(other));
  }
}
