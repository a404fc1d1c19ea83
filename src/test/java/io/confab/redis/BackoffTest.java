package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void delaysGrowToTheLimitAndAreSpreadOverTheUpperHalf() {
    Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(backoff.delay(1, random).toMillis()).isBetween(25L, 50L);
      assertThat(backoff.delay(3, random).toMillis()).isBetween(100L, 200L);
      assertThat(backoff.delay(1_000, random).toMillis()).isBetween(1_000L, 2_000L);
    }
  }
}
