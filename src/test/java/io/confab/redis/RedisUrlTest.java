package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RedisUrlTest {
  @Test
  void everyPartOfTheUrlIsRead() {
    assertThat(RedisUrl.parse("redis://me:p%40ss+%2F@redis.example:7000/3"))
        .isEqualTo(new RedisUrl("redis.example", 7000, 3, "me", "p@ss+/"));
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    assertThat(RedisUrl.parse("redis://redis.example"))
        .isEqualTo(new RedisUrl("redis.example", 6379, 0, "", ""));
  }

  @Test
  void theTextFormHidesThePassword() {
    assertThat(RedisUrl.parse("redis://:secret@h:1").toString()).doesNotContain("secret");
  }

  @Test
  void otherSchemesAndNamedDatabasesAreRefused() {
    assertThatThrownBy(() -> RedisUrl.parse("http://h")).hasMessageContaining("redis://");
    assertThatThrownBy(() -> RedisUrl.parse("redis://h/x")).hasMessageContaining("number");
  }

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
