package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchMemoryTest {
  private static final long MOST = 1_600;

  private final WatchMemory memory = new WatchMemory(MOST);

  @Test
  void anAccountMayFillHalf() {
    assertThat(memory.fits(800, 800)).isTrue();
    assertThat(memory.fits(801, 801)).isFalse();
  }

  @Test
  void whoHasLessThanItsShareMayFillTheRest() {
    memory.take(1_500);
    assertThat(memory.fits(100, 100)).isTrue();
    assertThat(memory.fits(50, 101)).isFalse();
    assertThat(memory.fits(101, 100)).as("it is full").isFalse();
  }

  @Test
  void lessFitsAlways() {
    memory.take(2 * MOST);
    assertThat(memory.fits(0, MOST)).isTrue();
    assertThat(memory.fits(1, 1)).isFalse();
    memory.give(2 * MOST - 1);
    assertThat(memory.taken()).isOne();
  }
}
