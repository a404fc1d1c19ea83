package io.confab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What phases showed, as a table in Markdown, and which promises they broke. Counts must be as
/// promised; on a machine that others use too, things may take ten times as long.
final class PhaseTable {
  static final int GUARD = 10;

  private final List<String> rows = new ArrayList<>();
  private final List<String> breaches = new ArrayList<>();

  /// Times that nothing is promised about.
  void row(String name, Times times) {
    add("| " + name + " | " + times.cells() + " |");
  }

  /// @param promised for the 99th percentile
  void row(String name, Times times, Duration promised) {
    row(name, times);
    if (times.size() == 0 || times.p99().compareTo(promised.multipliedBy(GUARD)) > 0) {
      breaches.add(name + ": " + times.cells() + ", where p99 " + promised + " is promised");
    }
  }

  /// Things of which there must be just so many.
  void count(String name, long count, long promised) {
    add("| " + name + " | " + count + " of " + promised + " | | | |");
    if (count != promised) {
      breaches.add(name + ": " + count + " of " + promised);
    }
  }

  private void add(String row) {
    rows.add(row);
    System.out.println("chaos: " + row);
  }

  /// Rows that broke what is promised.
  List<String> breaches() {
    return breaches;
  }

  String text() {
    return "| phase | n | p50 ms | p99 ms | max ms |\n|---|---|---|---|---|\n"
        + String.join("\n", rows);
  }
}
