package io.confab.seat;

/// How many may be inside a room.
///
/// @param seats 0: it has no capacity
/// @param rev as of which that is so
record Capacity(int seats, long rev) {}
