package io.confab.terminal;

import io.confab.protocol.Seq;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request of a line that was typed.
sealed interface Input {
  /// The text of `/help`.
  String HELP =
      """
      Type a message and Enter. A message of yours shows ✓ once it is stored. Commands:
        /reply N TEXT   answer message #N
        /edit N TEXT    change message #N, one of yours
        /delete N       delete message #N
        /history [N]    show N older messages (20)
        /rooms          your rooms
        /join ROOM      go to another room, by name or id, or @handle; joins a channel
        /quit           leave, once everything is stored (so does the end of the input)
        //TEXT          a message that begins with /\
      """;

  int USUAL_HISTORY = 20;
  int MOST_HISTORY = 200;

  record Say(String text) implements Input {}

  record Reply(Seq seq, String text) implements Input {}

  record Edit(Seq seq, String text) implements Input {}

  record Delete(Seq seq) implements Input {}

  record History(int count) implements Input {}

  record Rooms() implements Input {}

  record Join(String room) implements Input {}

  record Help() implements Input {}

  record Quit() implements Input {}

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
    String[] words = line.strip().split("\\s+", 3);
    @Nullable String first = words.length > 1 ? words[1] : null;
    @Nullable String rest = words.length > 2 ? words[2] : null;
    return switch (words[0]) {
      case "/help" -> new Help();
      case "/quit" -> new Quit();
      case "/rooms" -> new Rooms();
      case "/join" ->
          first == null ? new Wrong("/join ROOM") : new Join(line.strip().substring(6).strip());
      case "/history" -> history(first);
      case "/delete" -> seq(first).<Input>map(Delete::new).orElseGet(() -> new Wrong("/delete N"));
      case "/edit" -> withText(first, rest, Edit::new, "/edit N TEXT");
      case "/reply" -> withText(first, rest, Reply::new, "/reply N TEXT");
      default -> new Wrong(words[0] + " is not known; /help lists what is");
    };
  }

  private static Input history(@Nullable String count) {
    if (count == null) {
      return new History(USUAL_HISTORY);
    }
    return seq(count)
        .filter(n -> n.value() <= MOST_HISTORY)
        .<Input>map(n -> new History((int) n.value()))
        .orElseGet(() -> new Wrong("/history N, 1 to " + MOST_HISTORY));
  }

  private static Input withText(
      @Nullable String seq, @Nullable String text, Answer form, String usage) {
    return text == null
        ? new Wrong(usage)
        : seq(seq).map(n -> form.of(n, text)).orElseGet(() -> new Wrong(usage));
  }

  private static Optional<Seq> seq(@Nullable String text) {
    return Arrays.stream(new String[] {text == null ? "" : text})
        .map(word -> word.startsWith("#") ? word.substring(1) : word)
        .filter(word -> word.matches("[1-9][0-9]{0,17}"))
        .map(word -> new Seq(Long.parseLong(word)))
        .findFirst();
  }

  /// A request about a message.
  interface Answer {
    Input of(Seq seq, String text);
  }
}
