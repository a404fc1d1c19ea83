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
    return new Claim(account, of(room, held, terms));
  }

  private String of(RoomId room, @Nullable Held held, SeatTerms terms) {
    if (held == null) {
      return "";
    }
    if (held.place() == null) {
      return isGood(held.age(), RedisSeats.GRACE, terms) ? Claim.SEAT : "";
    }
    try {
      Long ticket = ticket(places.read(room, held.account(), held.place()), terms);
      return ticket == null ? "" : ticket.toString();
    } catch (Refusal notItsPlace) {
      return "";
    }
  }

  /// The ticket of a place, if it may be claimed.
  @Nullable Long ticket(Opened place, SeatTerms terms) {
    return place.over().compareTo(terms.away()) <= 0 ? place.ticket() : null;
  }

  /// @param span for how long Redis, while it was there, would have kept it at least
  static boolean isGood(Duration age, Duration span, SeatTerms terms) {
    return age.compareTo(span.plus(terms.away())) <= 0;
  }
}
