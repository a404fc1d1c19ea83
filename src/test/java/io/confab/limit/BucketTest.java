package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Rate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BucketTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final Rate TWO = new Rate(2, Duration.ofSeconds(1), 3);

  private long now = Long.MAX_VALUE - 5 * SECOND; // nanoTime may overflow
  private final Bucket bucket = new Bucket(TWO, now);

  private boolean take() {
    boolean there = bucket.delay(now).isZero();
    if (there) {
      bucket.take(now);
    }
    return there;
  }

  private void takeAll(int tokens) {
    for (int i = 0; i < tokens; i++) {
      assertThat(take()).isTrue();
    }
  }

  @Test
  void aFullBucketGivesItsBurstAndThenTheRate() {
    takeAll(3);
    assertThat(take()).isFalse();
    assertThat(bucket.delay(now)).isEqualTo(Duration.ofMillis(500));

    now += SECOND / 2;
    assertThat(take()).isTrue();
    assertThat(take()).isFalse();
  }

  @Test
  void itTellsWhatIsLeftAndWhenAllIsBack() {
    assertThat(bucket.tokens(now)).isEqualTo(3);
    assertThat(bucket.untilFull(now)).isZero();
    takeAll(3);
    bucket.take(now);
    assertThat(bucket.tokens(now)).isZero();
    assertThat(bucket.untilFull(now)).isEqualTo(Duration.ofSeconds(2));

    now += SECOND;
    assertThat(bucket.tokens(now)).isEqualTo(1);
  }

  @Test
  void longQuietGivesNoMoreThanTheBurst() {
    now += 1_000 * SECOND;
    takeAll(3);
    assertThat(take()).isFalse();
  }

  @Test
  void whateverIsTakenBeyondATokenIsThereAgainAfterFiveMinutes() {
    for (int i = 0; i < 100_000; i++) {
      bucket.take(now);
    }
    bucket.reported(Duration.ofDays(9), now);
    assertThat(bucket.delay(now)).isEqualTo(Duration.ofMinutes(5).plusMillis(500));
  }

  @Test
  void whoComesBackWhenToldIsLetThrough() {
    for (int i = 0; i < 100; i++) {
      now += bucket.delay(now).toNanos();
      assertThat(take()).isTrue();
    }
  }

  @Test
  void whatWasTakenBeyondHasToComeBackFirst() {
    for (int i = 0; i < 5; i++) {
      bucket.take(now);
    }
    assertThat(bucket.delay(now)).isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void theOthersAreToldInChunksOneAtATime() {
    bucket.take(now);
    assertThat(bucket.report(2)).isZero();
    bucket.take(now);
    assertThat(bucket.report(2)).isEqualTo(2);
    bucket.take(now);
    bucket.take(now);
    assertThat(bucket.report(2)).isZero();
    bucket.reported(Duration.ZERO, now);
    assertThat(bucket.report(2)).isEqualTo(2);
    bucket.reportFailed();
    assertThat(bucket.report(1)).isZero();
  }

  @Test
  void whatOthersTookIsMissingHereTooAndWhatWasTakenMeanwhileComesOnTop() {
    bucket.take(now);
    assertThat(bucket.report(1)).isEqualTo(1);
    bucket.take(now);
    bucket.reported(Duration.ofSeconds(1), now); // two tokens are missing to all
    assertThat(bucket.delay(now)).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aRedisThatForgotLetsNobodyThrough() {
    takeAll(3);
    bucket.report(1);
    bucket.reported(Duration.ZERO, now);
    assertThat(take()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void overAnySpanNoMoreThanBurstAndRateAreLetThrough(long seed) {
    var dice = new java.util.SplittableRandom(seed);
    Rate rate = new Rate(dice.nextInt(1, 50), Duration.ofSeconds(1), dice.nextInt(1, 20));
    long start = now;
    Bucket some = new Bucket(rate, start);
    long taken = 0;
    for (int i = 0; i < 5_000; i++) {
      now += step(dice, rate);
      if (some.delay(now).isZero()) {
        some.take(now);
        taken++;
      }
      double most = rate.burst() + rate.count() * ((now - start) / (double) SECOND);
      assertThat((double) taken).isLessThanOrEqualTo(most + 1e-3);
    }
    assertThat(taken).isGreaterThan(rate.burst());
  }

  private static long step(RandomGenerator dice, Rate rate) {
    return dice.nextLong(2 * SECOND / rate.count());
  }
}
