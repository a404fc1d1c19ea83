package io.confab;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The table of packages in `docs/architecture.md`: the layer of each and what it uses.
record PackageTable(List<Row> rows) {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z.]+)` \\| ([a-z]+) \\| ([a-z., ]+) \\|$");
  private static final String ROOT = "io.confab";

  record Row(String name, String layer, List<String> uses) {
    private static Row of(MatchResult match) {
      String uses = match.group(3);
      return new Row(
          match.group(1),
          match.group(2),
          uses.equals("nothing") ? List.of() : List.of(uses.split(", ")));
    }
  }

  static PackageTable read() {
    try {
      String document = Files.readString(Path.of("docs/architecture.md"));
      return new PackageTable(ROW.matcher(document).results().map(Row::of).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> packages() {
    return rows.stream().map(Row::name).toList();
  }

  Set<String> arrows() {
    return rows.stream()
        .flatMap(row -> row.uses().stream().map(used -> arrow(row.name(), used)))
        .collect(Collectors.toSet());
  }

  String[] packagesOf(String layer) {
    return rows.stream()
        .filter(row -> row.layer().equals(layer))
        .map(row -> row.name().equals(ROOT) ? ROOT : ROOT + "." + row.name())
        .toArray(String[]::new);
  }

  static Set<String> packages(Iterable<JavaClass> code) {
    return stream(code).map(PackageTable::nameOf).collect(Collectors.toSet());
  }

  /// What packages of Confab use of each other, as compiled.
  static Set<String> arrows(Iterable<JavaClass> code) {
    return stream(code)
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(dependency -> dependency.getTargetClass().getPackageName().startsWith(ROOT))
        .filter(
            dependency ->
                !nameOf(dependency.getOriginClass()).equals(nameOf(dependency.getTargetClass())))
        .map(
            dependency ->
                arrow(nameOf(dependency.getOriginClass()), nameOf(dependency.getTargetClass())))
        .collect(Collectors.toSet());
  }

  private static Stream<JavaClass> stream(Iterable<JavaClass> code) {
    return StreamSupport.stream(code.spliterator(), false);
  }

  private static String nameOf(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? ROOT : name.substring(ROOT.length() + 1);
  }

  private static String arrow(String from, String to) {
    return from + " -> " + to;
  }
}
