package io.confab.seat;

/// How a room stands.
///
/// @param now by the clock of Redis, in milliseconds since 1970
/// @param due in how many milliseconds it is to be visited, should nobody come before; -1: there
///     is nobody
/// @param noting whether its use is to be noted in the database
/// @param began as of [Capacity]
/// @param version rises with each change that is told, whatever Redis has lost meanwhile
record SeatNumbers(
    long now,
    long due,
    boolean noting,
    long inside,
    long offers,
    long waiting,
    long capacity,
    long began,
    long version) {}
