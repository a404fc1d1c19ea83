package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TableTest {
  private final Table table = new Table(List.of("floor", "Confab", "Absent"));

  private void measured(String contestant, double figure) {
    table.add(contestant, new Measured(Map.of("a send, µs", figure), 0, Optional.empty()), false);
  }

  @Test
  void aSpreadIsTheMedianWithTheLeastAndTheMost() {
    assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
    assertThat(Spread.of(List.of(9.0, 1.0, 4.0, 5.0))).isEqualTo(new Spread(4.5, 1, 9));
  }

  @Test
  void figuresHaveThreeDigits() {
    assertThat(List.of(0.0123, 0.123, 1.234, 12.34, 123.4, 12_345.0))
        .extracting(Spread::digits)
        .containsExactly("0.012", "0.123", "1.23", "12.3", "123", "12,345");
  }

  @Test
  void aRowHoldsMediansSpreadsAndRatios() {
    measured("floor", 10);
    measured("Confab", 11);
    measured("Confab", 15);
    measured("Confab", 13);

    assertThat(table)
        .hasToString(
            """
            | Measure | floor | Confab | Confab ÷ floor |
            | --- | --- | --- | --- |
            | a send, µs | 10.0 | 13.0 (11.0–15.0) | 1.30 |
            """);
  }

  @Test
  void whatIsVoidDoesNotCountAndIsTold() {
    measured("Confab", 11);
    table.add("Confab", new Measured(Map.of("a send, µs", 1.0), 0, Optional.of("lost")), false);

    assertThat(table.toString()).contains("| 11.0; **void: 1 of 2** |");
  }

  @Test
  void whatWasDisturbedCountsAndIsTold() {
    measured("Confab", 11);
    table.add("Confab", new Measured(Map.of("a send, µs", 11.0), 1, Optional.empty()), true);

    assertThat(table.toString()).contains("| 11.0; **disturbed: 1 of 2** |");
  }
}
