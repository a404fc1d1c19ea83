package io.confab.access;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// The matrix as it is written.
final class AccessMatrix {
  private static final String FILE = "/access-matrix.txt";
  private static final String NOT_FOR_KEY = "*";

  private final List<Row> rows;

  private AccessMatrix(List<Row> rows) {
    this.rows = List.copyOf(rows);
  }

  static AccessMatrix read() {
    try (InputStream file = AccessMatrix.class.getResourceAsStream(FILE)) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      return new AccessMatrix(rows(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Row> rows(String text) {
    List<Row> rows = new ArrayList<>();
    Place place = Place.SERVER;
    for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      if (line.startsWith("[")) {
        place = place(line.substring(1, line.length() - 1));
      } else {
        rows.add(row(place, List.of(line.split(" +"))));
      }
    }
    return rows;
  }

  private static Place place(String title) {
    return Stream.of(Place.values())
        .filter(place -> place.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such section: " + title));
  }

  private static Row row(Place place, List<String> words) {
    int columns = Who.values().length;
    if (words.size() <= columns) {
      throw new AssertionError("not " + columns + " cells: " + words);
    }
    int names = words.size() - columns;
    Map<Who, Verdict> cells = new EnumMap<>(Who.class);
    Iterator<String> written = words.listIterator(names);
    for (Who who : Who.values()) {
      cells.put(who, Verdict.ofCell(written.next()));
    }
    boolean forKey = !words.get(names - 1).equals(NOT_FOR_KEY);
    List<String> variant = words.subList(1, forKey ? names : names - 1);
    return new Row(place, words.getFirst(), String.join(" ", variant), forKey, cells);
  }

  List<Row> rows() {
    return rows;
  }

  List<Row> rows(Place place) {
    return rows.stream().filter(row -> row.place() == place).toList();
  }

  Row row(Place place, String action) {
    return rows(place).stream()
        .filter(row -> row.action().equals(action))
        .findFirst()
        .orElseThrow(() -> new AssertionError(place.title() + " has no row " + action));
  }
}
