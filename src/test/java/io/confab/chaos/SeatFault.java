package io.confab.chaos;

/// What must not be in a log of seats.
///
/// @param at in nanoseconds
record SeatFault(Kind kind, long at, int room, String what) {
  enum Kind {
    TOO_MANY_INSIDE,
    OVERTAKEN,
    DROPPED,
    NOT_FILLED
  }
}
