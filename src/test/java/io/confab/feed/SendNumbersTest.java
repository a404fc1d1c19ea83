package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendNumbersTest {
  private final SendNumbers numbers = new SendNumbers();

  @Test
  void whatCameBeforeTheFirstOneIsMissedOnce() {
    numbers.heard(7);
    assertThat(numbers.isMissingSome()).as("the sixth may have been lost").isTrue();
    numbers.giveUp();
    numbers.heard(8);
    assertThat(numbers.isMissingSome()).isFalse();
  }

  @Test
  void oneThatIsMissingIsMissedUntilItComes() {
    numbers.heard(1);
    numbers.heard(3);
    numbers.heard(4);
    assertThat(numbers.isMissingSome()).isTrue();
    numbers.heard(2);
    assertThat(numbers.isMissingSome()).isFalse();
    numbers.heard(2);
    numbers.heard(5);
    assertThat(numbers.isMissingSome()).isFalse();
  }

  @Test
  void whatIsSaidToBeThereIsMissedToo() {
    numbers.know(1);
    assertThat(numbers.isMissingSome()).as("nothing was heard yet").isTrue();
    numbers.giveUp();
    assertThat(numbers.isMissingSome()).isFalse();
    numbers.know(2);
    assertThat(numbers.isMissingSome()).isTrue();
    numbers.heard(2);
    assertThat(numbers.isMissingSome()).isFalse();
  }

  @Test
  void whatIsMadeUpForIsNotMissedAgain() {
    numbers.heard(1);
    numbers.heard(3);
    numbers.giveUp();
    numbers.heard(2);
    numbers.heard(4);
    assertThat(numbers.isMissingSome()).isFalse();
  }

  @Test
  void afterMoreThanItKeepsItIsMadeUpFor() {
    numbers.heard(1);
    for (int i = 3; i < 1_000; i++) {
      numbers.heard(i);
    }
    numbers.heard(2);
    assertThat(numbers.isMissingSome()).isTrue();
    numbers.giveUp();
    numbers.heard(1_000);
    assertThat(numbers.isMissingSome()).isFalse();
  }
}
