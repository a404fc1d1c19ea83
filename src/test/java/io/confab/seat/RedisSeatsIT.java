package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.OwnRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What the scripts do, held against [SeatRules].
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSeatsIT {
  private static final int HISTORIES = 200;

  private final OwnRedis redis = OwnRedis.start();

  @AfterAll
  void close() {
    redis.close();
  }

  @Test
  void scriptsAndRulesAgreeAtEachStepOfRandomHistories() {
    assertThat(SeatHistories.differences(redis.address(), 1, HISTORIES)).isEmpty();
  }
}
