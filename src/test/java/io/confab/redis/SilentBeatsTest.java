package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SilentBeatsTest {
  private final SilentBeats beats = new SilentBeats();

  private boolean[] ask(int times) {
    boolean[] answers = new boolean[times];
    IntStream.range(0, times).forEach(i -> answers[i] = beats.areTooMany());
    return answers;
  }

  @Test
  void threeInARowAreTooMany() {
    assertThat(ask(4)).containsExactly(false, false, false, true);
  }

  @Test
  void whateverIsHeardBeginsAnew() {
    ask(3);
    beats.heard();
    assertThat(ask(4)).containsExactly(false, false, false, true);
    beats.begin();
    assertThat(ask(4)).containsExactly(false, false, false, true);
  }
}
