package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LineBudgetTest {
  private final LineBudget<String> budget =
      new LineBudget<>(topic -> topic.equals("often") ? 3 : 1);

  private int taken(String topic, int times) {
    int taken = 0;
    for (int i = 0; i < times; i++) {
      taken += budget.take(topic, "somebody") ? 1 : 0;
    }
    return taken;
  }

  private List<String> rest() {
    List<String> rest = new ArrayList<>();
    budget.endMinute((topic, who, times) -> rest.add(topic + " " + who + " " + times));
    return rest;
  }

  @Test
  void eachTopicHasItsLinesAMinuteAndTheRestIsANumber() {
    assertThat(taken("once", 10)).isEqualTo(1);
    assertThat(taken("often", 10)).isEqualTo(3);
    assertThat(rest()).containsExactlyInAnyOrder("once somebody 9", "often somebody 7");

    assertThat(taken("once", 1)).isEqualTo(1);
    assertThat(rest()).isEmpty();
  }

  @Test
  void sourcesBeyondTheMostAreToldTogether() {
    int taken = 0;
    for (int i = 0; i < 5_000; i++) {
      taken += budget.take("once", "source " + i) ? 1 : 0;
    }

    assertThat(taken).isEqualTo(LineBudget.MOST_SOURCES);
    assertThat(taken("often", 2)).as("lines of another topic").isEqualTo(2);
    assertThat(rest()).containsExactly("once others 4000");
  }
}
