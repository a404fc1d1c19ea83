package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplayWindowTest {
  private final ReplayWindow window = new ReplayWindow();

  @Test
  void eachNumberIsTakenOnce() {
    for (long number : new long[] {0, 1, 7, 3, 2, 65_000}) {
      assertThat(window.take(number)).isTrue();
    }
    for (long number : new long[] {0, 1, 7, 3, 2, 65_000}) {
      assertThat(window.take(number)).isFalse();
    }
  }

  @Test
  void nothingFromBeforeTheWindowIsTaken() {
    window.take(300_000);
    for (long old : new long[] {300_000 - 262_144, 300_000 - 262_145, 1, 0}) {
      assertThat(window.take(old)).as("number %d", old).isFalse();
    }
    assertThat(window.take(300_000 - 262_143)).isTrue();
  }

  @Test
  void aSlotIsUsedAgainForALaterNumber() {
    window.take(5);
    assertThat(window.take(5 + 262_144)).isTrue();
    assertThat(window.take(5 + 262_144)).isFalse();
    assertThat(window.take(5)).isFalse();
  }

  @Test
  void aLeapForgetsAllThatIsBeforeTheWindow() {
    for (int i = 0; i < 100; i++) {
      window.take(i);
    }
    long far = 10L * 262_144;
    assertThat(window.take(far)).isTrue();
    for (long i = far - 262_143; i < far; i++) {
      assertThat(window.take(i)).isTrue();
    }
  }
}
