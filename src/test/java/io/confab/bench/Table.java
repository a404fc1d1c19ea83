package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All that was measured, a row for each measure and a column for each contestant, as Markdown.
final class Table {
  private final Map<String, Map<String, Figures>> rows = new LinkedHashMap<>();
  private final Set<String> contestants = new LinkedHashSet<>();

  /// What the rounds gave for one measure of one contestant.
  private static final class Figures {
    final List<Double> good = new ArrayList<>();
    int disturbed;
    int spoiled;

    @Override
    public String toString() {
      List<String> marks = new ArrayList<>();
      if (disturbed > 0) {
        marks.add("**disturbed: %d of %d**".formatted(disturbed, good.size()));
      }
      if (spoiled > 0) {
        marks.add("**void: %d of %d**".formatted(spoiled, spoiled + good.size()));
      }
      String figures = good.isEmpty() ? "" : Spread.of(good).toString();
      return Stream.concat(Stream.of(figures), marks.stream())
          .filter(text -> !text.isEmpty())
          .collect(Collectors.joining("; "));
    }
  }

  Table(List<String> contestants) {
    this.contestants.addAll(contestants);
  }

  /// @param disturbed others used the machine meanwhile
  void add(String contestant, Measured measured, boolean disturbed) {
    measured
        .figures()
        .forEach(
            (measure, figure) -> {
              Figures figures =
                  rows.computeIfAbsent(measure, _ -> new LinkedHashMap<>())
                      .computeIfAbsent(contestant, _ -> new Figures());
              if (measured.fault().isPresent()) {
                figures.spoiled++;
              } else {
                figures.good.add(figure);
                figures.disturbed += disturbed ? 1 : 0;
              }
            });
  }

  /// Confab's median in parts of another's, where both were measured.
  private static String ratio(Map<String, Figures> row, String other) {
    Figures own = row.get(ConfabNode.NAME);
    Figures theirs = row.get(other);
    return own == null || theirs == null || own.good.isEmpty() || theirs.good.isEmpty()
        ? ""
        : Spread.digits(Spread.of(own.good).median() / Spread.of(theirs.good).median());
  }

  @Override
  public String toString() {
    List<String> columns =
        contestants.stream()
            .filter(name -> rows.values().stream().anyMatch(row -> row.containsKey(name)))
            .toList();
    List<String> others = columns.stream().filter(name -> !name.equals(ConfabNode.NAME)).toList();
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("Measure"));
    head.addAll(columns);
    others.forEach(other -> head.add("Confab ÷ " + other));
    lines.add(head);
    lines.add(head.stream().map(_ -> "---").toList());
    rows.forEach(
        (measure, row) -> {
          List<String> line = new ArrayList<>(List.of(measure));
          columns.forEach(name -> line.add(row.containsKey(name) ? row.get(name).toString() : ""));
          others.forEach(other -> line.add(ratio(row, other)));
          lines.add(line);
        });
    return lines.stream()
        .map(line -> "| " + String.join(" | ", line) + " |\n")
        .collect(Collectors.joining());
  }
}
