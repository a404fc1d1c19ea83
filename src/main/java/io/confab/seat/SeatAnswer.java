package io.confab.seat;

import java.util.List;

/// What became of a script.
sealed interface SeatAnswer {
  /// It was carried out.
  ///
  /// @param words what it says of accounts, of each a list
  record Done(SeatNumbers numbers, List<List<String>> words, List<SeatChange> changes)
      implements SeatAnswer {
    /// How the account stands that is the `index`th of those that were named.
    Standing standing(int index) {
      List<String> said = words.get(index);
      return switch (said.getFirst()) {
        case "in" -> new Standing.In();
        case "waiting" ->
            new Standing.InLine(
                Long.parseLong(said.get(1)),
                Long.parseLong(said.get(2)),
                said.get(3).isEmpty() ? null : Long.valueOf(said.get(3)));
        case "offer" -> new Standing.Offer(Long.parseLong(said.get(1)));
        default -> new Standing.Out();
      };
    }
  }

  /// The server has another run id than is meant.
  record Moved() implements SeatAnswer {}

  /// What is there is of a later epoch.
  record Stale(long epoch) implements SeatAnswer {}

  /// There is nothing, and the room may not be set up.
  record Absent() implements SeatAnswer {}

  /// The call came too late.
  record Late() implements SeatAnswer {}
}
