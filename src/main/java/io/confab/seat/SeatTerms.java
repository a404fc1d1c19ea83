package io.confab.seat;

import java.time.Duration;
import java.util.List;

/// What a node knows of the servers of Redis when it has a script carried out there: the terms on
/// which it is to be.
///
/// @param epoch under which the seats stand there
/// @param instances the run ids of the servers that have them
/// @param goodUntil when the call comes too late, in milliseconds since 1970 by their clocks
/// @param pause for how long nobody is let in, because others may have seats that were lost there
/// @param calm for how long nobody loses anything by silence, because nobody could say anything
/// @param away for how long nothing may have been confirmed, by what pause or calm come from
record SeatTerms(
    long epoch,
    List<String> instances,
    long goodUntil,
    Duration pause,
    Duration calm,
    Duration away) {
  /// After the epoch was raised. Longer than a node goes by what it knew of the epoch, and then by
  /// what it knew of a seat; and longer than between two polls.
  static final Duration PAUSE = Duration.ofSeconds(15);
}
