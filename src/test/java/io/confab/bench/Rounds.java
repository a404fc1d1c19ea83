package io.confab.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Measures cells in turn, so that whatever changes with time changes for all of them: once without
/// counting, so that compilers have seen everything, then round for round. A cell that was
/// disturbed is measured again a few times.
final class Rounds {
  private final Options options;
  private final Table table;

  Rounds(Options options, Table table) {
    this.options = options;
    this.table = table;
  }

  void run(List<Cell> cells) {
    cells.forEach(cell -> say(cell, "to warm up", measure(cell)));
    runCold(cells);
  }

  /// The same for cells that begin anew each time.
  void runCold(List<Cell> cells) {
    for (int round = 1; round <= options.rounds(); round++) {
      for (Cell cell : cells) {
        Measured measured = undisturbed(cell, round);
        table.add(cell.contestant(), measured, isDisturbed(measured));
      }
    }
  }

  private boolean isDisturbed(Measured measured) {
    return measured.foreign() > options.foreign();
  }

  private Measured undisturbed(Cell cell, int round) {
    Measured measured = measure(cell);
    say(cell, "round " + round, measured);
    for (int again = 1; again < options.tries() && isDisturbed(measured); again++) {
      measured = measure(cell);
      say(cell, "round " + round + " again", measured);
    }
    return measured;
  }

  /// A contestant that fails spoils its cell and no other.
  private static Measured measure(Cell cell) {
    try {
      return cell.measure();
    } catch (RuntimeException failure) {
      return new Measured(Map.of(cell.name(), Double.NaN), 0, Optional.of(failure.toString()));
    }
  }

  @SuppressWarnings("SystemOut")
  private static void say(Cell cell, String round, Measured measured) {
    System.out.printf(
        "%s, %s, %s: %s%s%s%n",
        cell.contestant(),
        cell.name(),
        round,
        measured.figures().entrySet().stream()
            .map(
                figure ->
                    figure.getKey().replace(cell.name() + ": ", "")
                        + " "
                        + Spread.digits(figure.getValue()))
            .toList(),
        ", others used %s cores".formatted(Spread.digits(measured.foreign())),
        measured.fault().map(fault -> ", VOID: " + fault).orElse(""));
  }
}
