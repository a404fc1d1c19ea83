package io.confab.chaos;

import java.time.Duration;
import java.util.List;

/// What a log of seats is held against.
///
/// @param capacity of each room
/// @param end of the log
/// @param losses when Redis lost its data, or a node stood still
/// @param slack by which what is told may be late
record SeatTruth(int capacity, long end, List<SeatLog.Loss> losses, Duration slack) {
  /// Who is lost for so long keeps what it has.
  static final Duration GRACE = Duration.ofSeconds(20);

  /// A seat may be kept for one who is not there.
  static final Duration OFFER = Duration.ofSeconds(15);

  /// For how long a node goes by what it cannot confirm, and others by a node that is gone.
  static final Duration LEASE = Duration.ofSeconds(10);

  /// By when the seat of one who does not come back is another's, when its node died too.
  static final Duration LEFT_BY = LEASE.plus(GRACE).plusSeconds(2);

  /// Who comes back later than this may be too late, by the clock of the server.
  private static final Duration SURE = GRACE.minusSeconds(2);

  boolean isLossBetween(long from, long to) {
    return losses.stream().anyMatch(loss -> loss.from() <= to && from <= loss.to());
  }

  /// When the last pause is over that touches a span; its end if there is none.
  long afterLosses(long from, long to) {
    long after = to;
    for (SeatLog.Loss loss : losses) {
      if (loss.from() <= after && from <= loss.to()) {
        after = Math.max(after, loss.to());
      }
    }
    return after;
  }

  /// Whether it came back so soon that it has lost nothing.
  boolean keeps(long cut, long back) {
    return back - cut <= SURE.toNanos() && !isLossBetween(cut, back);
  }

  /// Nodes that die with what they know, at the time when Redis loses it, may take seats with them.
  boolean mayHaveKept(long cut, long back) {
    return back - cut <= GRACE.toNanos() && !isLossBetween(cut, back);
  }
}
