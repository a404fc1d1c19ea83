package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.redis.SlotMap.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotMapTest {
  private static final RedisServer A = new RedisServer("a", 1);
  private static final RedisServer B = new RedisServer("b", 1);

  private final SlotMap map =
      new SlotMap(List.of(new Range(0, 100, A), new Range(200, 16_383, B), new Range(101, 101, A)));

  @Test
  void bothEndsOfARangeBelongToItAndGapsToNobody() {
    assertThat(map.master(0)).contains(A);
    assertThat(map.master(101)).contains(A);
    assertThat(map.master(102)).isEmpty();
    assertThat(map.master(200)).contains(B);
    assertThat(map.master(16_383)).contains(B);
    assertThat(map.masters()).containsExactly(A, B);
  }

  @Test
  void mapsAreEqualWhenEverySlotHasTheSameMaster() {
    assertThat(new SlotMap(List.of(new Range(0, 101, A), new Range(200, 16_383, B))))
        .isEqualTo(map)
        .hasSameHashCodeAs(map);
    assertThat(new SlotMap(List.of(new Range(0, 100, A), new Range(200, 16_383, B))))
        .isNotEqualTo(map);
  }

  @Test
  void aChannelIsFoundAtAMasterOfFewSlotsAndNoneAtAStranger() {
    SlotMap few = new SlotMap(List.of(new Range(7, 7, A), new Range(8, 16_383, B)));
    String channel = few.channelAt(A, "beat:").orElseThrow();
    assertThat(channel).startsWith("beat:");
    assertThat(KeySlot.of(channel)).isEqualTo(7);
    assertThat(few.channelAt(new RedisServer("c", 1), "beat:")).isEmpty();
  }
}
