package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(30)
class MomentsTest {
  private static Duration ms(long ms) {
    return Duration.ofMillis(ms);
  }

  @Test
  void theFirstTimeIsAMultipleOfThePeriodAndComesWithinIt() {
    for (long now = -2_000; now < 2_000; now++) {
      long first = Moments.untilMultiple(ms(500), now).toMillis();
      assertThat(first).isBetween(1L, 500L);
      assertThat((now + first) % 500).isZero();
    }
  }

  @Test
  void aDelayEndsAtTheNearestStep() {
    for (long now = -1_000; now < 1_000; now++) {
      for (long delay : new long[] {250, 251, 500, 1_000, 60_001}) {
        long until = Moments.until(ms(delay), now).toMillis();
        assertThat(until).isBetween(delay - 125, delay + 125);
        assertThat((now + until) % 250).isZero();
      }
    }
  }

  @Test
  void aShortDelayIsKept() {
    assertThat(Moments.until(ms(249), 17)).isEqualTo(ms(249));
    assertThat(Moments.until(ms(1), 17)).isEqualTo(ms(1));
  }

  @Test
  @ExtendWith(VertxExtension.class)
  void regularWorkIsDoneAgainAndAgain(Vertx vertx) throws InterruptedException {
    CountDownLatch thrice = new CountDownLatch(3);
    Moments.periodic(vertx, ms(10), thrice::countDown);
    thrice.await();
  }
}
