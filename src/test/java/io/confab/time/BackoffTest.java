package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0, 0.5, 250",
    "1, 0, 500",
    "1, 0.5, 750",
    "3, 0.25, 2500",
    "6, 0, 15000",
    "6, 0.5, 22500",
    "1000000, 0.5, 22500"
  })
  void theFirstWaitIsDrawnFromTheWholeSpanAndLaterOnesFromItsUpperHalf(
      int failures, double drawn, long millis) {
    assertThat(new Backoff(FIRST, LONGEST, drawing(drawn)).delay(failures))
        .isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void delaysStayWithinTheirSpan() {
    Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), new Random(1));
    for (int i = 0; i < 1_000; i++) {
      assertThat(backoff.delay(0).toMillis()).isBetween(0L, 50L);
      assertThat(backoff.delay(2).toMillis()).isBetween(100L, 200L);
      assertThat(backoff.delay(1_000).toMillis()).isBetween(1_000L, 2_000L);
    }
  }

  private static RandomGenerator drawing(double value) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new UnsupportedOperationException();
      }

      @Override
      public double nextDouble() {
        return value;
      }
    };
  }
}
