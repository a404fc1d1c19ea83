package io.confab.seat;

/// How many may be inside a room.
///
/// @param seats 0: it has no capacity
/// @param rev as of which that is so
/// @param began the rev since which it has had one, if it has: who was inside before it is not any
///     more
record Capacity(int seats, long rev, long began) {
  boolean isOtherThan(Capacity before) {
    return seats != before.seats || began != before.began;
  }
}
