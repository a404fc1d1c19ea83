package io.confab.chaos;

/// What a client did or was told about a room with a capacity, or what became of its connection.
///
/// @param at by the one clock of the driver, in nanoseconds
/// @param room [#ALL] for what is of the connection
/// @param ticket by which the signed place orders those who wait, of [Kind#WAITS]
record SeatEvent(long at, Kind kind, int account, int room, long ticket) {
  static final int ALL = -1;

  enum Kind {
    /// Sends `room.enter`.
    ENTERING,
    /// Is told `seat.waiting`.
    WAITS,
    /// Is told `seat.inside`.
    INSIDE,
    /// Sends `room.exit`.
    EXITING,
    /// Is answered that it is outside.
    EXITED,
    /// Is told that it lost what it had without having asked for it.
    LOST,
    /// The connection is gone.
    CUT,
    /// Another one is live.
    BACK
  }
}
