package io.confab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The formatter breaks a `///` line that is too long, and begins its rest with two slashes.
@Timeout(30)
class CommentsTest {
  private static final Pattern BROKEN =
      Pattern.compile("(?m)^\\h*///.*\\R\\h*//(?!/).*|^\\h*//(?!/).*\\R\\h*///.*");

  @Test
  void noMarkdownCommentIsBroken() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src"))) {
      assertThat(sources.filter(file -> file.toString().endsWith(".java")).flatMap(this::broken))
          .isEmpty();
    }
  }

  private Stream<String> broken(Path file) {
    try {
      List<String> found =
          BROKEN.matcher(Files.readString(file)).results().map(match -> match.group()).toList();
      return found.stream().map(lines -> file + ": " + lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
