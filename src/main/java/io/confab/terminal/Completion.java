package io.confab.terminal;

import io.confab.protocol.InvitesFrom;
import java.util.List;
import java.util.stream.Stream;

/// What a word that is being typed may become.
final class Completion {
  private static final List<String> ROLES = List.of("admin", "member");
  private static final List<String> SETTINGS =
      List.of(
          "name",
          "description",
          "history",
          "slow_mode_s",
          "max_members",
          "capacity",
          "read_outside",
          "expires_in_s");

  private final Known known;

  Completion(Known known) {
    this.known = known;
  }

  /// @param before the whole words before it
  /// @param word as far as it is typed
  List<String> of(List<String> before, String word) {
    return all(before, word).filter(whole -> startsWith(whole, word)).toList();
  }

  private static boolean startsWith(String whole, String word) {
    return whole.regionMatches(true, 0, word, 0, word.length());
  }

  private Stream<String> all(List<String> before, String word) {
    if (before.isEmpty()) {
      return word.startsWith("/")
          ? Stream.of(SlashCommand.values()).map(SlashCommand::word)
          : spoken(word, ":");
    }
    return before.getFirst().startsWith("/")
        ? SlashCommand.named(before.getFirst())
            .map(command -> argument(command.words(), before.size() - 1))
            .orElseGet(Stream::empty)
        : spoken(word, "");
  }

  /// Somebody who is spoken to or of.
  private Stream<String> spoken(String word, String end) {
    if (word.isEmpty()) {
      return Stream.empty();
    }
    return known.handles().stream()
        .map(handle -> word.startsWith("@") ? "@" + handle : handle + end);
  }

  /// More handles take the rest of the line.
  private static String kind(List<String> kinds, int place) {
    if (place < kinds.size()) {
      return kinds.get(place);
    }
    return !kinds.isEmpty() && kinds.getLast().equals("MORE") ? "MORE" : "";
  }

  private Stream<String> argument(List<String> kinds, int place) {
    return switch (kind(kinds, place)) {
      case "HANDLE", "MORE" -> known.handles().stream();
      case "ROOM" ->
          Stream.concat(
              known.rooms().stream(), known.handles().stream().map(handle -> "@" + handle));
      case "NEW|RESET" -> Stream.of("new", "reset");
      case "YES" -> Stream.of("yes");
      case "CODE|SHOW|YES|NO" -> Stream.of("show", "yes", "no");
      case "ROLE" -> ROLES.stream();
      case "SETTING" -> SETTINGS.stream();
      case "WHOM" -> Stream.of(InvitesFrom.values()).map(InvitesFrom::wire);
      default -> Stream.empty();
    };
  }
}
