package io.confab.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What was said in an IRC channel: lines `[HH:MM] <nick> text`. Actions, joins and leavings are
/// left out, and so are lines that say nothing; both are counted. Control characters, which IRC
/// has for colours, are dropped.
public record IrcLog(List<Line> lines, int leftOut, int blank) {
  private static final Pattern SPOKEN = Pattern.compile("\\[(\\d\\d):(\\d\\d)] <([^>]+)> ?(.*)");
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\t]]");
  private static final Pattern NOT_IN_HANDLES = Pattern.compile("[^a-z0-9_.-]");
  private static final int STEM = 28;
  private static final int MINUTES_OF_A_DAY = 24 * 60;

  /// @param minute since midnight before the first line
  public record Line(int minute, String nick, String text) {}

  /// Reads a file in UTF-8; bytes that are none become the replacement character.
  public static IrcLog read(Path file) throws IOException {
    return parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList());
  }

  public static IrcLog parse(List<String> text) {
    List<Line> lines = new ArrayList<>();
    int leftOut = 0;
    int blank = 0;
    int day = 0;
    int before = 0;
    for (String written : text) {
      String line = CONTROL.matcher(written).replaceAll("");
      Matcher spoken = SPOKEN.matcher(line);
      if (line.isBlank() || (spoken.matches() && spoken.group(4).isBlank())) {
        blank++;
      } else if (spoken.matches()) {
        int minute = Integer.parseInt(spoken.group(1)) * 60 + Integer.parseInt(spoken.group(2));
        day += minute < before ? 1 : 0;
        before = minute;
        lines.add(new Line(day * MINUTES_OF_A_DAY + minute, spoken.group(3), spoken.group(4)));
      } else {
        leftOut++;
      }
    }
    return new IrcLog(List.copyOf(lines), leftOut, blank);
  }

  /// The nicks, in the order of their first lines.
  public Set<String> nicks() {
    Set<String> nicks = new LinkedHashSet<>();
    lines.forEach(line -> nicks.add(line.nick()));
    return nicks;
  }

  /// A handle for each nick, no two the same.
  public Map<String, String> handles() {
    Map<String, String> handles = new HashMap<>();
    Set<String> taken = new HashSet<>();
    for (String nick : nicks()) {
      String folded = nick.toLowerCase(Locale.ROOT);
      String plain = "n" + NOT_IN_HANDLES.matcher(folded).replaceAll("_");
      String stem = plain.substring(0, Math.min(plain.length(), STEM));
      String handle = stem;
      for (int i = 2; !taken.add(handle); i++) {
        handle = stem + "-" + i;
      }
      handles.put(nick, handle);
    }
    return handles;
  }
}
