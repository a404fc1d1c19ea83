package io.confab.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The demo world as it is written in `world.txt`: people, rooms, and what is said in them,
/// in order.
///
/// ```
/// person ada Ada Lindqvist
/// channel lobby | What it is for | ada ben      the first of them makes it
/// group Picnic | What it is for | ada ben
/// direct ada ben
/// at 3 09:12                              from when on: three days before, at 9:12
/// ada: a message
/// ben ^1: an answer to the line before, ^2 to the one before that
/// ada [dates]: a message with a topic
/// ~ what the message before is edited to
/// -                                              deletes the message before
/// read                                    everybody has read up to here
/// at 0                                    the rest of the room: on the day itself, up to now
/// ```
record WorldScript(List<Cast.Person> people, List<Scene> scenes) {
  private static final String FILE = "world.txt";
  private static final Pattern SAID =
      Pattern.compile("([a-z]+)(?: \\^(\\d+))?(?: \\[([^]]+)])?: (.+)");

  /// A room with its messages.
  ///
  /// @param kind `channel`, `group` or `direct`
  /// @param name empty for a direct room
  /// @param members handles; the first one makes the room
  /// @param sittings when its lines are said
  /// @param readings how many lines there were whenever everybody had read all
  record Scene(
      String kind,
      String name,
      String description,
      List<String> members,
      List<Line> lines,
      Sittings sittings,
      List<Integer> readings) {
    /// How many of the lines somebody has read: what everybody has, and what they answered to.
    int readBy(String handle) {
      int said = lines.size();
      while (said > 0 && !lines.get(said - 1).handle().equals(handle)) {
        said--;
      }
      return Math.max(said, readings.isEmpty() ? 0 : readings.getLast());
    }
  }

  /// A message, and what it becomes afterwards.
  ///
  /// @param answers index of the line in this scene that it answers
  /// @param edited what it is edited to afterwards
  /// @param deleted whether it is deleted afterwards
  record Line(
      String handle,
      String text,
      @Nullable Integer answers,
      @Nullable String topic,
      @Nullable String edited,
      boolean deleted) {}

  /// The script that comes with Confab.
  static WorldScript load() {
    try (InputStream in =
        Objects.requireNonNull(WorldScript.class.getResourceAsStream(FILE), FILE)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static WorldScript parse(String text) {
    WorldScript script = new WorldScript(new ArrayList<>(), new ArrayList<>());
    text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(line -> script.read(line.strip()));
    return script;
  }

  int messages() {
    return scenes.stream().mapToInt(scene -> scene.lines().size()).sum();
  }

  private void read(String line) {
    String[] words = line.split(" ", 3);
    switch (words[0]) {
      case "person" -> people.add(new Cast.Person(words[1], words[2]));
      case "channel", "group" -> {
        String[] parts = line.substring(words[0].length()).split("\\|", -1);
        scenes.add(
            new Scene(
                words[0],
                parts[0].strip(),
                parts[1].strip(),
                List.of(parts[2].strip().split(" ")),
                new ArrayList<>(),
                new Sittings(),
                new ArrayList<>()));
      }
      case "direct" ->
          scenes.add(
              new Scene(
                  "direct",
                  "",
                  "",
                  List.of(words[1], words[2]),
                  new ArrayList<>(),
                  new Sittings(),
                  new ArrayList<>()));
      case "at" -> {
        Scene scene = scenes.getLast();
        int daysBefore = Integer.parseInt(words[1]);
        LocalTime clock = daysBefore == 0 ? LocalTime.MAX : LocalTime.parse(words[2]);
        scene.sittings().begin(scene.lines().size(), daysBefore, clock);
      }
      case "read" -> scenes.getLast().readings().add(scenes.getLast().lines().size());
      case "~" -> changeLast(line.substring(2), false);
      case "-" -> changeLast(null, true);
      default -> say(line);
    }
  }

  private void say(String line) {
    Matcher said = SAID.matcher(line);
    if (!said.matches()) {
      throw new IllegalArgumentException(FILE + ": " + line);
    }
    List<Line> lines = scenes.getLast().lines();
    String back = said.group(2);
    Integer answers = back == null ? null : lines.size() - Integer.parseInt(back);
    lines.add(new Line(said.group(1), said.group(4), answers, said.group(3), null, false));
  }

  private void changeLast(@Nullable String edited, boolean deleted) {
    List<Line> lines = scenes.getLast().lines();
    Line last = lines.removeLast();
    lines.add(new Line(last.handle(), last.text(), last.answers(), last.topic(), edited, deleted));
  }
}
