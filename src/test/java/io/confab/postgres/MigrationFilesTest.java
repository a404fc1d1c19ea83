package io.confab.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the migration files: ADR 0024.
class MigrationFilesTest {
  static final Path FOLDER = Path.of("src/main/resources/io/confab/postgres/migrations");

  private static final Pattern FUNCTION =
      Pattern.compile("^CREATE (OR REPLACE )?FUNCTION (\\w+)", Pattern.MULTILINE);
  private static final Pattern STATE =
      Pattern.compile("^-- Functions: ([0-9a-f]{64})$", Pattern.MULTILINE);

  @Test
  void versionsDefineNoFunctions() {
    assertThat(versions().values()).isNotEmpty();
    versions().values().forEach(sql -> assertThat(FUNCTION.matcher(sql).find()).as(sql).isFalse());
  }

  @Test
  void eachFunctionStandsInTheFileThatHasItsName() {
    for (Path file : functions()) {
      assertThat(FUNCTION.matcher(read(file)).results().map(found -> found.group(2)))
          .containsExactly(name(file));
      assertThat(read(file)).contains("CREATE OR REPLACE FUNCTION");
    }
  }

  /// Else a node of the version before, which starts once more, would bring its own functions back.
  @Test
  void aChangeOfAFunctionComesWithAVersion() {
    String now =
        digest(functions().stream().map(MigrationFilesTest::read).reduce("", String::concat));

    String known =
        versions().reversed().values().stream()
            .map(STATE::matcher)
            .filter(Matcher::find)
            .map(found -> found.group(1))
            .findFirst()
            .orElseThrow();

    assertThat(known)
        .as("functions have changed: the next version must say\n-- Functions: %s", now)
        .isEqualTo(now);
  }

  @Test
  void theNewestVersionIsKnownByItsName() {
    assertThat(FOLDER.resolve(Migrations.NEWEST)).hasContent(versions().lastEntry().getValue());
  }

  static List<Path> functions() {
    return files("R__");
  }

  /// The function of a repeatable file.
  static String name(Path file) {
    return file.getFileName().toString().replaceFirst("^R__", "").replaceFirst("\\.sql$", "");
  }

  private static SortedMap<Integer, String> versions() {
    SortedMap<Integer, String> versions = new TreeMap<>();
    for (Path file : files("V")) {
      String number = file.getFileName().toString().split("__", 2)[0].substring(1);
      versions.put(Integer.valueOf(number), read(file));
    }
    return versions;
  }

  private static List<Path> files(String prefix) {
    try (Stream<Path> all = Files.list(FOLDER)) {
      return all.filter(file -> file.getFileName().toString().startsWith(prefix))
          .sorted(Comparator.comparing(Path::toString))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
