package io.confab.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SweeperTest {
  private static Duration restAfter(long ms) {
    return Sweeper.rest(Duration.ofMillis(ms).toNanos());
  }

  @Test
  void aSlowDatabaseHasMoreRestButNoneLongerThanTheLease() {
    assertThat(restAfter(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(restAfter(200)).isEqualTo(Duration.ofMillis(800));
    assertThat(restAfter(60_000)).isEqualTo(Duration.ofSeconds(10));
  }
}
