package io.confab.seat;

import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatPlace.Opened;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Which of what nodes and clients say that accounts had is old enough to be wrong. What Redis had
/// when it was seen last may be claimed when it has lost it; what may have ended before may not.
final class SeatClaims {
  private final SeatPlace places;

  SeatClaims(SeatPlace places) {
    this.places = places;
  }

  /// What is claimed for an account.
  ///
  /// @param held what its node knows it to have; null: nothing
  Claim of(RoomId room, AccountId account, @Nullable Held held, SeatTerms terms) {
    if (held == null) {
      return Claim.none(account);
    }
    if (held.place() == null) {
      return isGood(held.age(), RedisSeats.GRACE, terms)
          ? new Claim(account, Claim.SEAT, held.began())
          : Claim.none(account);
    }
    try {
      Opened place = places.read(room, account, held.place());
      return isGood(place, terms)
          ? new Claim(account, Long.toString(place.ticket()), place.began())
          : Claim.none(account);
    } catch (Refusal notItsPlace) {
      return Claim.none(account);
    }
  }

  static boolean isGood(Opened place, SeatTerms terms) {
    return place.over().compareTo(terms.away()) <= 0;
  }

  /// @param span for how long Redis, while it was there, would have kept it at least
  static boolean isGood(Duration age, Duration span, SeatTerms terms) {
    return age.compareTo(span.plus(terms.away())) <= 0;
  }
}
