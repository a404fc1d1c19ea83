package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WakefulnessTest {
  private final Wakefulness wakefulness = new Wakefulness(Duration.ofNanos(100), 1_000);

  @Test
  void whoLooksLateOrAtTheSameTimeIsAwake() {
    assertThat(wakefulness.slept(1_099)).isFalse();
    assertThat(wakefulness.slept(1_198)).isFalse();
    assertThat(wakefulness.slept(1_198)).isFalse();
  }

  @Test
  void whoMissedSeveralLooksSleptAndIsAwakeAgainAtTheNext() {
    assertThat(wakefulness.slept(1_100)).isTrue();
    assertThat(wakefulness.slept(1_150)).isFalse();
  }
}
