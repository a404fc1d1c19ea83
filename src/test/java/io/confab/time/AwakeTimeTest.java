package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AwakeTimeTest {
  private final AwakeTime awake = new AwakeTime(Duration.ofNanos(100), 1_000);

  @Test
  void itPassesAsTimeDoesWhileLooksAreInTime() {
    assertThat(awake.at(1_040)).isEqualTo(40);
    assertThat(awake.look(1_090)).isEqualTo(90);
    assertThat(awake.look(1_190)).isEqualTo(190);
    assertThat(awake.look(1_190)).isEqualTo(190);
  }

  @Test
  void aPeriodOfItPassesHoweverLateALookIs() {
    assertThat(awake.at(90_000)).isEqualTo(100);
    assertThat(awake.look(90_000)).isEqualTo(100);
    assertThat(awake.at(90_000)).isEqualTo(100);
    assertThat(awake.look(180_000)).isEqualTo(200);
  }
}
