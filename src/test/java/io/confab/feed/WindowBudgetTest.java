package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WindowBudgetTest {
  private static final long WINDOW = 1_024;
  private static final long ENTRIES = 1_000;

  /// Room for three windows of that size.
  private final WindowBudget budget = new WindowBudget(3 * (WINDOW + ENTRIES));

  private List<String> holds(String window, long entries) {
    return budget.hold(Map.of(window, entries));
  }

  @Test
  void ofWindowsThatAreNotedTogetherNoneGoesBeforeTheOthers() {
    holds("a", ENTRIES);
    holds("b", ENTRIES);
    holds("c", ENTRIES);
    Map<String, Long> together = new LinkedHashMap<>();
    together.put("d", ENTRIES);
    together.put("a", ENTRIES);
    assertThat(budget.hold(together)).containsExactly("b");
    assertThat(holds("e", ENTRIES)).containsExactly("c");
    assertThat(holds("f", ENTRIES)).containsExactly("d");
  }

  @Test
  void theWindowsNotWrittenToForLongestGo() {
    assertThat(holds("a", ENTRIES)).isEmpty();
    assertThat(holds("b", ENTRIES)).isEmpty();
    assertThat(holds("c", ENTRIES)).isEmpty();
    assertThat(holds("a", ENTRIES)).isEmpty();
    assertThat(holds("d", ENTRIES)).containsExactly("b");
    assertThat(holds("d", 2 * ENTRIES + WINDOW)).containsExactly("c");
  }

  @Test
  void aWindowCountsWithWhatItHoldsNow() {
    holds("a", 2 * ENTRIES);
    holds("a", ENTRIES);
    assertThat(holds("b", ENTRIES)).isEmpty();
    assertThat(holds("c", ENTRIES)).isEmpty();
    assertThat(holds("d", ENTRIES)).containsExactly("a");
  }

  @Test
  void emptyWindowsCountToo() {
    assertThat(holds("a", 3 * ENTRIES)).isEmpty();
    assertThat(holds("b", 0)).isEmpty();
    assertThat(holds("c", 0)).isEmpty();
    assertThat(holds("d", 0)).containsExactly("a");
  }

  @Test
  void theNewestStaysHoweverLargeItIs() {
    holds("a", ENTRIES);
    assertThat(holds("b", 10 * ENTRIES)).containsExactly("a");
    assertThat(holds("b", 10 * ENTRIES)).isEmpty();
  }
}
