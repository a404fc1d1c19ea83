package io.confab.seat;

import org.jspecify.annotations.Nullable;

/// What Redis says of an account in a room.
sealed interface Standing {
  record In() implements Standing {}

  /// @param ticket its number in the line: who has a lower one is before it
  /// @param estimateS as in [SeatState.Waiting]
  record InLine(long ahead, long ticket, @Nullable Long estimateS) implements Standing {}

  /// @param until in milliseconds since 1970, by the clock of Redis
  record Offer(long until) implements Standing {}

  record Out() implements Standing {}
}
