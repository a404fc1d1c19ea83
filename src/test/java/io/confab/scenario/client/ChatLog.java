package io.confab.scenario.client;

import io.confab.demo.IrcLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

/// The beginning of an IRC log, real or made, for tests.
record ChatLog(String name, List<Line> lines, int leftOut, int blank) {
  private static final int MOST = 600;

  record Line(String nick, String text) {}

  /// The log with the most people among those in the folder that `CHAT_LOGS` names.
  static Optional<ChatLog> real() {
    return Optional.ofNullable(System.getenv("CHAT_LOGS")).flatMap(ChatLog::busiest);
  }

  private static Optional<ChatLog> busiest(String folder) {
    return inFolder(folder, MOST).stream().max(Comparator.comparingInt(log -> log.nicks().size()));
  }

  /// Four logs: those in the folder that `CHAT_LOGS` names, else made ones.
  ///
  /// @param most how many spoken lines to take of each
  static List<ChatLog> four(int most) {
    String folder = System.getenv("CHAT_LOGS");
    return folder == null
        ? Stream.of(42, 43, 44, 45).map(ChatLog::made).toList()
        : inFolder(folder, most).stream().limit(4).toList();
  }

  private static List<ChatLog> inFolder(String folder, int most) {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files
          .filter(file -> file.toString().endsWith(".txt"))
          .sorted()
          .map(file -> read(file, most))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ChatLog read(Path file, int most) {
    try {
      return parse(file.getFileName().toString(), Files.readAllLines(file), most);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// At most 600 spoken lines.
  static ChatLog parse(String name, List<String> text) {
    return parse(name, text, MOST);
  }

  private static ChatLog parse(String name, List<String> text, int most) {
    IrcLog log = IrcLog.parse(text);
    return new ChatLog(
        name,
        log.lines().stream().limit(most).map(line -> new Line(line.nick(), line.text())).toList(),
        log.leftOut(),
        log.blank());
  }

  /// 400 lines of 30 people, the same ones each time: two differ in case alone, others have
  /// nicks that no handle may have.
  static ChatLog made() {
    return made(42);
  }

  private static ChatLog made(int seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<String> nicks =
        new ArrayList<>(
            List.of("|trey|", "Matt|", "robotti^", "[]\\`", "Ann", "ann", "ünal", "名前"));
    while (nicks.size() < 30) {
      nicks.add("guest" + nicks.size());
    }
    List<String> words =
        List.of(
            "hello",
            "<strong>",
            "ça",
            "日本語",
            "😀👩‍👩‍👧",
            "\t",
            "\"quoted\\\"",
            "{\"a\":1}",
            "ﷺ",
            "http://x/?a=b&c");
    List<String> text = new ArrayList<>(List.of("=== Ann has joined #made", ""));
    for (int i = 0; i < 400; i++) {
      String nick = nicks.get(i < nicks.size() ? i : random.nextInt(nicks.size()));
      StringBuilder line = new StringBuilder("[12:00] <" + nick + "> " + nick + ": line " + i);
      for (int word = random.nextInt(12); word > 0; word--) {
        line.append(' ').append(words.get(random.nextInt(words.size())));
      }
      text.add(line.toString());
      if (i % 50 == 0) {
        text.add("[12:00]  * " + nick + " waves");
        text.add("[12:00] <" + nick + "> ");
      }
    }
    return parse(seed == 42 ? "made" : "made-" + seed, text);
  }

  Set<String> nicks() {
    Set<String> nicks = new LinkedHashSet<>();
    lines.forEach(line -> nicks.add(line.nick()));
    return nicks;
  }

  /// A handle for each nick, no two the same.
  Map<String, String> handles() {
    return new IrcLog(
            lines.stream().map(line -> new IrcLog.Line(0, line.nick(), line.text())).toList(), 0, 0)
        .handles();
  }
}
