package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LostCallsTest {
  private final LostCalls lost = new LostCalls();

  @Test
  void whatIsFoundIsLookedForNoMore() {
    lost.add(0, "a");
    lost.add(0, "b");
    lost.add(1, "c");
    lost.looked(0, "a", true);
    assertThat(lost.of(0)).containsExactly("b");
    assertThat(lost.of(1)).containsExactly("c");
  }

  @Test
  void whatIsNotFoundIsLookedForTenTimes() {
    lost.add(0, "a");
    for (int i = 0; i < 9; i++) {
      lost.looked(0, "a", false);
      assertThat(lost.of(0)).containsExactly("a");
    }
    lost.looked(0, "a", false);
    assertThat(lost.of(0)).isEmpty();
  }

  @Test
  void ofTooManyTheOldestAreForgotten() {
    for (int i = 0; i <= LostCalls.MOST; i++) {
      lost.add(0, "call " + i);
    }
    assertThat(lost.of(0)).hasSize(LostCalls.MOST).startsWith("call 1");
  }
}
