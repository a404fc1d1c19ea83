package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoundsTest {
  private final Options options =
      Options.parse(List.of("--rounds", "2", "--tries", "3", "--foreign", "0.2"));
  private final Table table = new Table(List.of("Confab"));
  private final Rounds rounds = new Rounds(options, table);

  /// A cell during which others use so many cores at each measurement, the last number for all
  /// further ones; its figure counts the measurements.
  private static final class Watched implements Cell {
    private final double[] foreign;
    private int measured;

    Watched(double... foreign) {
      this.foreign = foreign;
    }

    @Override
    public String contestant() {
      return "Confab";
    }

    @Override
    public String name() {
      return "cell";
    }

    @Override
    public Measured measure() {
      double now = foreign[Math.min(measured++, foreign.length - 1)];
      if (now < 0) {
        throw new IllegalStateException("it died");
      }
      return new Measured(Map.of("cell: µs", (double) measured), now, Optional.empty());
    }
  }

  @Test
  void theFirstMeasurementDoesNotCount() {
    rounds.run(List.of(new Watched(0)));

    assertThat(table.toString()).contains("| cell: µs | 2.50 (2.00–3.00) |");
  }

  @Test
  void aCellThatWasDisturbedIsMeasuredAgain() {
    Watched cell = new Watched(0, 0.5, 0.1, 0.1);

    rounds.run(List.of(cell));

    assertThat(table.toString()).contains("| cell: µs | 3.50 (3.00–4.00) |");
  }

  @Test
  void aCellThatIsAlwaysDisturbedCountsInTheEndAndIsMarked() {
    Watched cell = new Watched(0.5);

    rounds.runCold(List.of(cell));

    assertThat(cell.measured).isEqualTo(6);
    assertThat(table.toString()).contains("| 4.50 (3.00–6.00); **disturbed: 2 of 2** |");
  }

  @Test
  void aCellThatFailsIsVoidAndTheNextOneIsMeasured() {
    rounds.runCold(List.of(new Watched(-1), new Watched(0)));

    assertThat(table.toString()).contains("| cell | **void: 2 of 2** |").contains("| cell: µs | 1");
  }
}
