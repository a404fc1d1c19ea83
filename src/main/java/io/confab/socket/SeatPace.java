package io.confab.socket;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.seat.SeatState;
import io.confab.seat.SeatState.Inside;
import io.confab.seat.SeatState.Waiting;
import io.confab.socket.SeatStands.Stand;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// How often sessions check in, and are told where they stand.
final class SeatPace {
  /// Sessions check in so often.
  static final Duration BEAT = Duration.ofSeconds(3);

  /// And it is looked so often who has to; also the least between two positions that are told.
  static final Duration TICK = Duration.ofSeconds(1);

  /// A client has a place that is good to claim: well before the end of what Redis would keep
  /// without it.
  private static final Duration FRESH = Duration.ofSeconds(10);

  /// So long after it was confirmed last a seat may be another's at the earliest, less what it
  /// takes to tell: whatever was lost just after it was confirmed, nobody is let in before the end
  /// of the pause.
  private static final Duration LAPSE = Duration.ofSeconds(13);

  private static final long AHEAD_PER_SECOND = 100;

  /// Who waits checks in for a tenth of its time at most, until it does so as often as others.
  static final int SHARE = 10;

  /// Who cannot enter now comes again after so long, and a part of the spread.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final Duration SPREAD = Duration.ofSeconds(3);

  private SeatPace() {}

  /// That too many enter at once.
  static Refusal crowd(RandomGenerator random) {
    Duration pause = AGAIN.plusMillis(random.nextLong(SPREAD.toMillis()));
    return new Refusal(ErrorCode.UNAVAILABLE, null, "too many enter at once", pause);
  }

  static boolean isNews(Stand stand, long now) {
    return switch (stand.state) {
      case Inside inside ->
          !(stand.toldState instanceof Inside before) || before.capacity() != inside.capacity();
      case Waiting waiting ->
          !(stand.toldState instanceof Waiting before)
              || now - stand.told
                  >= (isElsewhere(before, waiting) ? pause(waiting) : FRESH).toNanos();
      case SeatState.Offered offered -> !offered.equals(stand.toldState);
      case SeatState.Outside _ -> false;
    };
  }

  /// Whether who was told that it is inside has to be told that it is not.
  static boolean isLapsed(Stand stand, long now) {
    return stand.state instanceof Inside
        && stand.toldState instanceof Inside
        && now - stand.confirmed >= LAPSE.toNanos();
  }

  private static boolean isElsewhere(Waiting before, Waiting now) {
    return before.position() != now.position() || before.waiting() != now.waiting();
  }

  /// Between two positions that are told.
  private static Duration pause(Waiting waiting) {
    Duration pause = Duration.ofSeconds(waiting.ahead() / AHEAD_PER_SECOND);
    return pause.compareTo(FRESH) > 0 ? FRESH : pause.compareTo(TICK) > 0 ? pause : TICK;
  }

  /// Between two check-ins. Who is about to have its turn looks more often, unless they take long
  /// by now: where there is too much to do, turns come before positions. A little less than the
  /// time, because ticks are no more exact than that.
  ///
  /// @param took how long check-ins take
  static Duration rest(Stand stand, Duration took) {
    long most = BEAT.toNanos();
    if (stand.state instanceof Waiting waiting) {
      most = Math.min(most, Math.max(pause(waiting).toNanos(), SHARE * took.toNanos()));
    }
    return Duration.ofNanos(most).minus(TICK.dividedBy(2));
  }
}
