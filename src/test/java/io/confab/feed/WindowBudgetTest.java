package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowBudgetTest {
  private static final long WINDOW = 1_024;
  private static final long ENTRIES = 1_000;

  /// Room for three windows of that size.
  private final WindowBudget budget = new WindowBudget(3 * (WINDOW + ENTRIES));

  @Test
  void theWindowsNotWrittenToForLongestGo() {
    assertThat(budget.holds("a", ENTRIES)).isEmpty();
    assertThat(budget.holds("b", ENTRIES)).isEmpty();
    assertThat(budget.holds("c", ENTRIES)).isEmpty();
    assertThat(budget.holds("a", ENTRIES)).isEmpty();
    assertThat(budget.holds("d", ENTRIES)).containsExactly("b");
    assertThat(budget.holds("d", 2 * ENTRIES + WINDOW)).containsExactly("c");
  }

  @Test
  void aWindowCountsWithWhatItHoldsNow() {
    budget.holds("a", 2 * ENTRIES);
    budget.holds("a", ENTRIES);
    assertThat(budget.holds("b", ENTRIES)).isEmpty();
    assertThat(budget.holds("c", ENTRIES)).isEmpty();
    assertThat(budget.holds("d", ENTRIES)).containsExactly("a");
  }

  @Test
  void emptyWindowsCountToo() {
    assertThat(budget.holds("a", 3 * ENTRIES)).isEmpty();
    assertThat(budget.holds("b", 0)).isEmpty();
    assertThat(budget.holds("c", 0)).isEmpty();
    assertThat(budget.holds("d", 0)).containsExactly("a");
  }

  @Test
  void theNewestStaysHoweverLargeItIs() {
    budget.holds("a", ENTRIES);
    assertThat(budget.holds("b", 10 * ENTRIES)).containsExactly("a");
    assertThat(budget.holds("b", 10 * ENTRIES)).isEmpty();
  }
}
