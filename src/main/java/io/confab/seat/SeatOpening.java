package io.confab.seat;

/// That the seats of a room may be set up in Redis, where there is nothing of them.
///
/// @param epoch under which that was agreed
/// @param number the how manieth setting up it is: tickets of later ones come later
/// @param lost whether they were there before in the same epoch
record SeatOpening(long epoch, long number, boolean lost) {}
