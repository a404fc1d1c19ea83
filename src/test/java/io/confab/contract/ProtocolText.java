package io.confab.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// docs/protocol.md, as tests read it.
public final class ProtocolText {
  private static final Pattern CELL = Pattern.compile("\\s*\\|\\s*");

  private final String text;

  public ProtocolText() {
    try {
      text = Files.readString(Path.of("docs/protocol.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What stands under a heading, up to the next one.
  public String section(String heading) {
    int start = text.indexOf("\n## " + heading + "\n");
    if (start < 0) {
      throw new AssertionError("no section " + heading);
    }
    int end = text.indexOf("\n## ", start + 1);
    return text.substring(start, end < 0 ? text.length() : end);
  }

  /// The rows of the tables under a heading without their heads, each a list of cells.
  public List<List<String>> table(String heading) {
    return section(heading)
        .lines()
        .filter(line -> line.startsWith("| `") || line.matches("\\| \\d.*"))
        .map(line -> Arrays.asList(CELL.split(line.replaceFirst("^\\| ", ""), -1)))
        .toList();
  }

  /// All that stands between back quotes under a heading.
  public List<String> quoted(String heading) {
    return Pattern.compile("`([^`]+)`")
        .matcher(section(heading))
        .results()
        .map((MatchResult quoted) -> quoted.group(1))
        .toList();
  }

  /// The lines of the code block under a heading.
  public List<String> block(String heading) {
    String section = section(heading);
    int start = section.indexOf("```\n") + 4;
    return section.substring(start, section.indexOf("```", start)).lines().toList();
  }
}
