package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
  private final Budget budget = new Budget(400);

  @Test
  void oneHoldsAQuarter() {
    assertThat(budget.take("a", 60)).isTrue();
    assertThat(budget.take("a", 40)).isTrue();
    assertThat(budget.take("a", 1)).isFalse();
    assertThat(budget.take("b", 100)).isTrue();
  }

  @Test
  void allTogetherHoldTheBudget() {
    for (String who : new String[] {"a", "b", "c", "d"}) {
      assertThat(budget.take(who, 100)).isTrue();
    }
    assertThat(budget.take("e", 1)).isFalse();
    assertThat(budget.held()).isEqualTo(400);
  }

  @Test
  void whatIsReleasedCanBeTakenAgain() {
    budget.take("a", 100);
    budget.release("a", 100);
    assertThat(budget.held()).isZero();
    assertThat(budget.take("a", 100)).isTrue();
  }

  @Test
  void whatIsRefusedIsNotHeld() {
    budget.take("a", 90);
    assertThat(budget.take("a", 20)).isFalse();
    assertThat(budget.held()).isEqualTo(90);
    assertThat(budget.take("a", 10)).isTrue();
  }

  @Test
  void oneHasRoomForTheLargestBody() {
    assertThat(Budget.withRoomFor(100, 0).take("a", 100)).isTrue();
    assertThat(Budget.withRoomFor(100, 800).take("a", 200)).isTrue();
  }
}
