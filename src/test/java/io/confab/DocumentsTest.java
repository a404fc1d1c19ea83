package io.confab;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.limit.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the documents name must exist.
@Timeout(30)
class DocumentsTest {
  private static final Path SOURCES = Path.of("src/main/java/io/confab");
  private static final Path MIGRATIONS =
      Path.of("src/main/resources/io/confab/postgres/migrations");
  private static final Pattern TABLE = Pattern.compile("CREATE (?:UNLOGGED )?TABLE (\\w+)");
  private static final Pattern OWNED =
      Pattern.compile("Owns the tables? ((?:`[a-z_]+`(?:, | and )?)+)");
  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");
  private static final Pattern KEY = Pattern.compile("`([a-z_]+(?::[^`]+)?)`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)[^)]*\\)");
  private static final Pattern PACKAGE_ROW = Pattern.compile("(?m)^\\| `([a-z]+)` \\|");
  private static final Pattern CLASS_NAME = Pattern.compile("`([A-Z][a-z]+[A-Za-z]*)`");

  @Test
  void everyRelativeLinkLeadsToAFile() throws IOException {
    assertThat(documents())
        .allSatisfy(
            document ->
                assertThat(found(LINK, document))
                    .filteredOn(link -> !link.contains("://"))
                    .allSatisfy(link -> assertThat(document.resolveSibling(link)).exists()));
  }

  @Test
  void theReadmeListsThePackagesOfTheCode() throws IOException {
    assertThat(found(PACKAGE_ROW, Path.of("README.md")))
        .containsExactlyInAnyOrderElementsOf(packages());
  }

  @Test
  void whatAnAccountMayCostNamesEveryLimit() throws IOException {
    String costs =
        Files.readString(Path.of("docs/operations.md"))
            .split("\n## What an account may cost\n", 2)[1]
            .split("\n## ", 2)[0];

    assertThat(matches(NAME, costs))
        .containsAll(Stream.of(Limit.values()).map(Limit::wire).toList());
  }

  @Test
  void whatGrowsNamesEveryTableAndEveryKeyInRedis() throws IOException {
    List<String> there = new ArrayList<>(keysOf("What is in Redis"));
    there.addAll(tables());

    assertThat(keysOf("What grows")).isNotEmpty().containsExactlyInAnyOrderElementsOf(there);
  }

  private static List<String> keysOf(String heading) throws IOException {
    return rowsOf(heading).stream()
        .filter(row -> !row.contains("| channels |"))
        .flatMap(row -> matches(KEY, row.split("\\|", 3)[1]).stream())
        .toList();
  }

  /// The rows of the tables in a section of docs/operations.md.
  private static List<String> rowsOf(String heading) throws IOException {
    return Files.readString(Path.of("docs/operations.md"))
        .split("\n## " + heading + "\n", 2)[1]
        .split("\n## ", 2)[0]
        .lines()
        .filter(line -> line.startsWith("| `"))
        .toList();
  }

  @Test
  void everyTableIsOwnedByOnePackage() throws IOException {
    List<String> owned = new ArrayList<>();
    for (Path file : files(SOURCES, "package-info.java")) {
      String text = Files.readString(file).replaceAll("\\s*/// ", " ");
      matches(OWNED, text).forEach(names -> owned.addAll(matches(NAME, names)));
    }
    assertThat(owned).isNotEmpty().containsExactlyInAnyOrderElementsOf(tables());
  }

  private static List<String> tables() throws IOException {
    List<String> tables = new ArrayList<>();
    for (Path file : files(MIGRATIONS, ".sql")) {
      tables.addAll(found(TABLE, file));
    }
    return tables;
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/architecture.md", "docs/design-notes.md"})
  void everyClassThatIsNamedExists(String document) throws IOException {
    assertThat(found(CLASS_NAME, Path.of(document))).isNotEmpty().isSubsetOf(types());
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> root = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(Path.of("docs"))) {
      return Stream.concat(root, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .map(Path::toAbsolutePath)
          .toList();
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static List<String> packages() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.filter(Files::isDirectory).map(path -> path.getFileName().toString()).toList();
    }
  }

  /// Top-level types, and records that stand in a command's or an event's family.
  private static Set<String> types() throws IOException {
    Pattern declared = Pattern.compile("\\b(?:class|record|enum|interface) ([A-Z]\\w+)");
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(path -> path.toString().endsWith(".java"))
          .flatMap(path -> found(declared, path).stream())
          .collect(Collectors.toSet());
    }
  }

  private static List<String> found(Pattern pattern, Path document) {
    try {
      return matches(pattern, Files.readString(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
  }
}
