package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryTest {
  @Test
  void theHeapOfEachCollectorIsTheSumOfItsGenerations() {
    assertThat(
            Memory.live(
                """
                DefNew     total 116160K, used 31021K [0x0000000687400000, 0x000000068f200000)
                 eden space 103296K,  30% used [0x0000000687400000, 0x000000068d8e0000)
                Tenured    total 258048K, used 21166K [0x0000000704d50000, 0x0000000714950000)
                 Metaspace       used 9000K, committed 9216K, reserved 1114112K
                """))
        .isEqualTo(50);
    assertThat(
            Memory.live(
                "garbage-first heap   total reserved 6172672K, committed 393216K, used 10651K [0"))
        .isEqualTo(10);
  }

  @Test
  void whatSaysNothingOfTheHeapIsNoEmptyHeap() {
    assertThatThrownBy(() -> Memory.live("25004:\n")).isInstanceOf(AssertionError.class);
  }
}
