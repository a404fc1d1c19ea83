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
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the migration files: ADR 0024.
class MigrationFilesTest {
  static final Path FOLDER = Path.of("src/main/resources/io/confab/postgres/migrations");

  /// The first bytes of the SHA-256 of each version that was released.
  private static final Map<Integer, String> RELEASED =
      Map.of(
          1, "094d373df3e76084", //
          2, "075c087e65726e77",
          3, "4241380bd4eb816c",
          4, "370b5b598bdba500",
          5, "a0084ba0ebb58f2b",
          6, "c0ff39735af51507",
          7, "0e957cd8fdac9070",
          8, "8aefb23e3a6a9396");

  private static final int LAST_WITH_FUNCTIONS = 8;
  private static final Pattern FUNCTION =
      Pattern.compile("^CREATE (OR REPLACE )?FUNCTION (\\w+)", Pattern.MULTILINE);
  private static final Pattern STATE =
      Pattern.compile("^-- Functions: ([0-9a-f]{64})$", Pattern.MULTILINE);

  @Test
  void aReleasedVersionIsNeverChanged() {
    RELEASED.forEach(
        (version, digest) ->
            assertThat(digest(Objects.requireNonNull(versions().get(version))))
                .as("V" + version)
                .startsWith(digest));
  }

  @Test
  void fromNowOnVersionsDefineNoFunctions() {
    versions()
        .tailMap(LAST_WITH_FUNCTIONS + 1)
        .values()
        .forEach(sql -> assertThat(FUNCTION.matcher(sql).find()).as(sql).isFalse());
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
