package io.confab.message;

import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.seat.SeatCommand;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatState.Inside;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Function;

/// Who is inside a room with a capacity, as far as this node knows or can find out.
public interface Seating {
  /// Whether the account is known to be inside, without asking anybody.
  ///
  /// @param left for how long that has to be so at least
  boolean isKnownInside(AccountId account, RoomId room, Duration left);

  /// Whether the account is inside. Refusal: `unavailable` while nobody can say.
  Future<Boolean> find(AccountId account, RoomId room);

  /// Knows nobody, and asks each time.
  static Seating asking(Requests bus) {
    return new Seating() {
      @Override
      public boolean isKnownInside(AccountId account, RoomId room, Duration left) {
        return false;
      }

      @Override
      public Future<Boolean> find(AccountId account, RoomId room) {
        return bus.request(new Find(room, account)).map(Inside.class::isInstance);
      }
    };
  }

  /// Does what a room with a capacity keeps for those inside. Which rooms have one is known where
  /// it is done: it is tried as if from outside, and once more by who is inside. So nothing more
  /// is asked about rooms without a capacity.
  ///
  /// @param attempt gets whether the account is inside
  default <R> Future<R> attempt(
      AccountId account, RoomId room, Function<Boolean, Future<R>> attempt) {
    boolean known = isKnownInside(account, room, SeatCommand.ENOUGH);
    return attempt
        .apply(known)
        .recover(
            failure ->
                known || !isForThoseInside(failure)
                    ? Future.failedFuture(failure)
                    : find(account, room)
                        .compose(
                            inside -> inside ? attempt.apply(true) : Future.failedFuture(failure)));
  }

  private static boolean isForThoseInside(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.code() == ErrorCode.NO_SEAT;
  }
}
