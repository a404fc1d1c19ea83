package io.confab.seat;

/// What could be wrong, planted to see that the tests find it.
enum SeatBug {
  /// Nothing is wrong.
  NONE,
  /// Whether there is room is looked up, and then somebody enters, in two steps.
  CHECK_THEN_ACT,
  /// Places are made from the time, so two may have the same one; who has the lower id goes first.
  EQUAL_TICKETS,
  /// Who comes back within the grace is put at the head of the line.
  HEAD_START,
  /// The seats are forgotten before those who have them.
  FORGOTTEN_SEATS,
  /// A signal that somebody is inside is believed, whatever was known since.
  OLD_NEWS,
  /// After a loss nodes claim nothing.
  NOTHING_CLAIMED,
  /// After a loss seats are given at once.
  NO_PAUSE
}
