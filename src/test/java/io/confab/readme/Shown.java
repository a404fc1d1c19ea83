package io.confab.readme;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a document shows of an output. A line `…` stands for any lines, `…` within a line for any
/// text; ids, times, dates and such numbers stand for others of their kind.
final class Shown {
  private static final String ANYTHING = "…";

  /// Each group is a kind of text that varies; the pattern of its kind stands for it.
  private static final Pattern VARYING =
      Pattern.compile(
          String.join(
              "|",
              ANYTHING,
              "\\b(?=[a-z]*\\d)[0-9a-hjkmnp-tv-z]{13}\\b",
              "\\b\\d\\d:\\d\\d\\b",
              "\\b[A-Z][a-z]+day, \\d+ [A-Z][a-z]+ \\d{4}\\b",
              "(?<=process |members: |#|\"epoch\":|[a-z]-)\\d+\\b"));

  private final List<String> lines;
  private final boolean inAnyOrder;

  Shown(List<String> lines, boolean inAnyOrder) {
    this.lines = lines;
    this.inAnyOrder = inAnyOrder;
  }

  /// Whether an output is what is shown, from its first line to its last.
  boolean isAllOf(List<String> output) {
    return inAnyOrder ? someOrder(output) : from(0, output, 0, true);
  }

  /// Whether an output has what is shown somewhere, without other lines in between.
  boolean isIn(List<String> output) {
    for (int at = 0; at < output.size(); at++) {
      if (from(0, output, at, false)) {
        return true;
      }
    }
    return false;
  }

  private boolean from(int line, List<String> output, int at, boolean toTheEnd) {
    if (line == lines.size()) {
      return !toTheEnd || at == output.size();
    }
    if (!lines.get(line).equals(ANYTHING)) {
      return at < output.size()
          && pattern(lines.get(line)).matcher(output.get(at)).matches()
          && from(line + 1, output, at + 1, toTheEnd);
    }
    for (int next = at; next <= output.size(); next++) {
      if (from(line + 1, output, next, toTheEnd)) {
        return true;
      }
    }
    return false;
  }

  private boolean someOrder(List<String> output) {
    List<String> left = new ArrayList<>(output);
    for (String line : lines) {
      Pattern pattern = pattern(line);
      if (!line.equals(ANYTHING) && !removeFirst(left, pattern)) {
        return false;
      }
    }
    return left.isEmpty() || lines.contains(ANYTHING);
  }

  private static boolean removeFirst(List<String> left, Pattern pattern) {
    for (int at = 0; at < left.size(); at++) {
      if (pattern.matcher(left.get(at)).matches()) {
        left.remove(at);
        return true;
      }
    }
    return false;
  }

  private static Pattern pattern(String line) {
    StringBuilder pattern = new StringBuilder();
    Matcher varying = VARYING.matcher(line);
    int end = 0;
    while (varying.find()) {
      pattern.append(Pattern.quote(line.substring(end, varying.start())));
      pattern.append(like(varying.group()));
      end = varying.end();
    }
    return Pattern.compile(pattern.append(Pattern.quote(line.substring(end))).toString());
  }

  private static String like(String varying) {
    if (varying.equals(ANYTHING)) {
      return ".*";
    }
    if (varying.contains(",")) {
      return "[A-Z][a-z]+, \\d+ [A-Z][a-z]+ \\d{4}";
    }
    if (varying.contains(":")) {
      return "\\d\\d:\\d\\d";
    }
    return varying.length() == 13 ? "[0-9a-hjkmnp-tv-z]{13}" : "\\d+";
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
