package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.SeatCommand.Held;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Places that were signed before Redis lost its data, and handed in afterwards.
class SeatClaimsTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(1);
  private static final long TICKET = 41;
  private static final long BEGAN = 12;
  private static final Instant SIGNED = Instant.ofEpochSecond(1_000);

  private static String placeOf(Duration kept) {
    return new SeatPlace(new byte[32], InstantSource.fixed(SIGNED))
        .write(ROOM, ANN, TICKET, BEGAN, kept);
  }

  /// Whether it may be claimed so long after it was signed.
  ///
  /// @param away for how long Redis was not seen
  private static boolean isGood(String place, int seconds, int away) {
    SeatPlace places =
        new SeatPlace(new byte[32], InstantSource.fixed(SIGNED.plusSeconds(seconds)));
    SeatTerms terms =
        new SeatTerms(2, List.of("a"), 0, SeatTerms.PAUSE, Duration.ZERO, Duration.ofSeconds(away));
    Claim claimed =
        new SeatClaims(places).of(ROOM, ANN, new Held(ANN, place, 0, Duration.ZERO), terms);
    assertThat(claimed).isIn(Claim.none(ANN), new Claim(ANN, Long.toString(TICKET), BEGAN));
    return !claimed.claim().isEmpty();
  }

  @Test
  void thePlaceOfASessionIsGoodForAsLongAsTheGraceOfOneWhoIsLostAtOnce() {
    String place = placeOf(RedisSeats.GRACE);
    assertThat(isGood(place, 20, 0)).isTrue();
    assertThat(isGood(place, 21, 0)).isFalse();
    assertThat(isGood(place, 21, 2)).as("Redis was away meanwhile").isTrue();
    assertThat(isGood(place, 23, 2)).isFalse();
  }

  @Test
  void thePlaceOfOneWhoPollsIsGoodUntilItIsOverdue() {
    String place = placeOf(RedisSeats.POLL);
    assertThat(isGood(place, 30, 0)).isTrue();
    assertThat(isGood(place, 31, 0)).isFalse();
  }

  @Test
  void whatWaitedToBeCarriedOutIsOlderByThat() {
    SeatPlace places = new SeatPlace(new byte[32], InstantSource.fixed(SIGNED.plusSeconds(19)));
    SeatClaims claims = new SeatClaims(places);
    SeatTerms terms =
        new SeatTerms(2, List.of("a"), 0, SeatTerms.PAUSE, Duration.ZERO, Duration.ZERO);
    SeatPlace.Opened place = places.read(ROOM, ANN, placeOf(RedisSeats.GRACE));
    assertThat(SeatClaims.isGood(place.after(Duration.ofSeconds(1)), terms)).isTrue();
    assertThat(SeatClaims.isGood(place.after(Duration.ofSeconds(2)), terms)).isFalse();
    Held held = new Held(ANN, null, BEGAN, Duration.ofSeconds(19));
    assertThat(claims.of(ROOM, ANN, held.after(Duration.ofSeconds(1)), terms))
        .isEqualTo(new Claim(ANN, Claim.SEAT, BEGAN));
    assertThat(claims.of(ROOM, ANN, held.after(Duration.ofSeconds(2)), terms).claim()).isEmpty();
  }
}
