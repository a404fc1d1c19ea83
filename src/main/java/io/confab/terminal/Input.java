package io.confab.terminal;

import io.confab.protocol.Secret;
import java.util.List;
import java.util.stream.IntStream;

/// The request of a line that was typed.
sealed interface Input {
  record Say(String text) implements Input {}

  /// @param words as many as the command must have, or more up to all that it may have
  record Do(SlashCommand command, List<String> words) implements Input {}

  /// A command with what was typed for it in secret.
  record Recover(Secret key) implements Input {}

  /// Blank: nothing is asked for.
  record Nothing() implements Input {}

  /// @param why what is wrong with it, for a person
  record Wrong(String why) implements Input {}

  static Input parse(String line) {
    if (line.isBlank()) {
      return new Nothing();
    }
    if (!line.startsWith("/")) {
      return new Say(line);
    }
    if (line.startsWith("//")) {
      return new Say(line.substring(1));
    }
    String[] parts = line.strip().split("\\s+", 2);
    return SlashCommand.named(parts[0])
        .map(command -> command(command, parts.length == 1 ? "" : parts[1]))
        .orElseGet(() -> new Wrong(parts[0] + " is not known; /help lists what is"));
  }

  private static Input command(SlashCommand command, String rest) {
    int most = command.words().size();
    if (!rest.isEmpty() && most == 0) {
      return new Wrong(command.usage());
    }
    List<String> words = rest.isEmpty() ? List.of() : List.of(rest.split("\\s+", most));
    boolean fits =
        words.size() >= command.least()
            && IntStream.range(0, words.size())
                .allMatch(i -> fits(words.get(i), command.words().get(i)));
    return fits ? new Do(command, words) : new Wrong(command.usage());
  }

  /// @param kind how the command names this word
  private static boolean fits(String word, String kind) {
    return switch (kind) {
      case "N" -> word.matches("#?[1-9][0-9]{0,17}");
      case "SEATS", "SECONDS" -> word.matches("[0-9]{1,9}");
      case "MINUTES", "HOURS", "USES", "COUNT" -> word.matches("[1-9][0-9]{0,8}");
      default -> true;
    };
  }
}
