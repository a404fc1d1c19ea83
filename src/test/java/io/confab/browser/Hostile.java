package io.confab.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// What somebody writes who wants the browser of a reader to run it (`hostile.txt`).
final class Hostile {
  private static final int LONGEST_NAME = 80;
  private static final int MANY = 200;

  private Hostile() {}

  static List<String> lines() {
    try (InputStream in = Hostile.class.getResourceAsStream("hostile.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("# "))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> bodies() {
    return many(lines().stream().flatMap(line -> Stream.of(line, "\"" + line + "' and\n" + line)));
  }

  /// As long as a name may be.
  static List<String> names() {
    return many(
        lines().stream()
            .flatMap(line -> Stream.of(line, "\"'>" + line, "</b>" + line))
            .filter(name -> name.length() <= LONGEST_NAME)
            .limit(MANY));
  }

  private static List<String> many(Stream<String> texts) {
    List<String> all = texts.toList();
    assertThat(all).hasSizeGreaterThanOrEqualTo(MANY);
    return all;
  }

  /// All lines that are short enough, as few texts of this length as hold them.
  static List<String> packed(int most) {
    List<String> texts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String line : lines()) {
      if (line.length() > most) {
        continue;
      }
      if (text.length() + 1 + line.length() > most) {
        texts.add(text.toString());
        text.setLength(0);
      }
      text.append(text.isEmpty() ? "" : " ").append(line);
    }
    texts.add(text.toString());
    return texts;
  }
}
