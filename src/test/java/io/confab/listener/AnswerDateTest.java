package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AnswerDateTest {
  private Instant now = Instant.parse("2026-11-01T08:09:07.999Z");
  private final AnswerDate date = new AnswerDate(() -> now);

  @Test
  void itIsInTheFormOfTheSpecification() {
    assertThat(date.now()).isEqualTo("Sun, 01 Nov 2026 08:09:07 GMT");
  }

  @Test
  void itIsMadeOnceASecond() {
    String first = date.now();
    assertThat(date.now()).isSameAs(first);

    now = now.plusMillis(1);
    assertThat(date.now()).isEqualTo("Sun, 01 Nov 2026 08:09:08 GMT");
  }
}
