package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OncePerMinuteTest {
  private final AtomicLong now = new AtomicLong();
  private final OncePerMinute once = new OncePerMinute(now::get);

  @Test
  void eachIsTheFirstOnceAMinute() {
    assertThat(once.isFirst("a")).isTrue();
    assertThat(once.isFirst("a")).isFalse();
    assertThat(once.isFirst("b")).isTrue();
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(once.isFirst("a")).isTrue();
  }

  @Test
  void theNumberOfNamesIsBounded() {
    long first = IntStream.range(0, 1_000).filter(i -> once.isFirst("a" + i)).count();

    assertThat(first).isEqualTo(100);
  }
}
