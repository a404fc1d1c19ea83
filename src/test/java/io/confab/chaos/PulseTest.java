package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.chaos.Pulse.Answers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PulseTest {
  private static Answers of(int inTime, int late) {
    Answers answers = new Answers(0, 0);
    for (int i = 0; i < inTime + late; i++) {
      answers = answers.with(i < late);
    }
    return answers;
  }

  @Test
  void aNodeThatIsLateMoreOftenThanNotIsSlowByItself() {
    assertThat(of(40, 30).areMostlyLate()).isFalse();
    assertThat(of(30, 40).areMostlyLate()).isTrue();
    assertThat(of(2, 8).areMostlyLate()).as("too few to tell").isFalse();
  }
}
