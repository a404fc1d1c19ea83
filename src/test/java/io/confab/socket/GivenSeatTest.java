package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.AccountSignal.SeatChanged;
import io.confab.feed.GivenSeat;
import io.confab.feed.SeatNews;
import io.confab.protocol.SeatLoss;
import io.confab.protocol.ServerFrame.SeatInside;
import io.confab.protocol.ServerFrame.SeatLost;
import io.confab.protocol.ServerFrame.SeatWaiting;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatState.Waiting;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Seats of which a signal tells that somebody who waited was given them.
class GivenSeatTest extends SeatsOfALoop {
  private static SeatChanged given(long version) {
    return new SeatChanged(ANN, ROOM, SeatNews.INSIDE, new GivenSeat(2, 2, 5, version));
  }

  private void waits() {
    takesUp(ANN, waiting(1));
    told.clear();
    asked.clear();
  }

  /// @return the check-in is answered when it is completed, with what is so now
  private Promise<Void> checksIn() {
    Promise<Void> answer = Promise.promise();
    held = answer;
    pass(Duration.ofSeconds(2));
    held = null;
    return answer;
  }

  @Test
  void whoWaitedIsToldWithoutALookOfTheSeatThatItWasGiven() {
    waits();
    seats.changed(given(VERSION + 1));
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 2, 2));
    assertThat(asked).isEmpty();
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    stands.put(ANN, IN);
    pass(Duration.ofSeconds(4));
    assertThat(told).hasSize(1);
    assertThat(((Beat) asked.getFirst()).held()).extracting(Held::place).containsOnlyNulls();
  }

  @Test
  void aSeatThatWasGivenBeforeItWaitedIsLookedAt() {
    waits();
    seats.changed(given(VERSION));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    pass(Duration.ofMillis(50));
    assertThat(told).isEmpty();
    assertThat(asked).hasSize(1);
  }

  @Test
  void aSeatThatWasGivenIsHonouredAsLongAsThePlaceWasConfirmed() {
    waits();
    away = true;
    pass(Duration.ofSeconds(6));
    seats.changed(given(VERSION + 1));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    pass(Duration.ofMillis(4_100));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
  }

  @Test
  void aSeatIsNotToldToWhomNobodyConfirmedForTooLong() {
    waits();
    away = true;
    pass(Duration.ofSeconds(11));
    seats.changed(given(VERSION + 1));
    assertThat(told).isEmpty();
    stands.put(ANN, IN);
    away = false;
    pass(Duration.ofSeconds(2));
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 1, 2));
  }

  @Test
  void anAnswerFromBeforeASeatWasGivenDoesNotTakeItBack() {
    waits();
    Promise<Void> before = checksIn();
    seats.changed(given(VERSION + 1));
    stands.put(ANN, IN);
    before.complete();
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    pass(Duration.ofSeconds(4));
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 2, 2));
  }

  @Test
  void whetherASeatIsLostThatWasGivenMeanwhileIsLookedAt() {
    waits();
    stands.remove(ANN);
    Promise<Void> before = checksIn();
    seats.changed(given(VERSION + 1));
    stands.put(ANN, IN);
    before.complete();
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 2, 2));
    stands.remove(ANN);
    pass(Duration.ofSeconds(4));
    assertThat(told.getLast()).isEqualTo(new SeatLost(ROOM, SeatLoss.EXPIRED));
  }

  @Test
  void whoAsksForASeatWhileItIsGivenIsToldOnceThatItHasIt() {
    waits();
    held = Promise.promise();
    enters(ANN);
    stands.put(ANN, IN);
    seats.changed(given(VERSION + 1));
    assertThat(told).isEmpty();
    held.complete();
    held = null;
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 1, 2));
  }

  @Test
  void whoWaitsAnewByAnAnswerThatWasAskedForBeforeASeatWasGivenWaits() {
    waits();
    stands.put(ANN, new Waiting(4, 3, 9, null, "place", VERSION + 2));
    Promise<Void> before = checksIn();
    seats.changed(given(VERSION + 1));
    before.complete();
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(told.getLast()).isEqualTo(new SeatWaiting(null, ROOM, 4, 3, 9, null, "place"));
  }

  @Test
  void whatIsAnsweredLaterThanASeatWasGivenNeedsNoVersion() {
    waits();
    seats.changed(given(VERSION + 9));
    stands.put(ANN, waiting(1));
    pass(Duration.ofSeconds(1));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
  }

  @Test
  void whoWasGivenASeatChecksInWithTheNextOnes() {
    takesUp(ANN, waiting(901));
    asked.clear();
    seats.changed(given(VERSION + 1));
    stands.put(ANN, IN);
    pass(Duration.ofSeconds(1));
    assertThat(count(Beat.class)).isEqualTo(1);
  }

  @Test
  void aSeatIsNotToldToWhomALossWasHeardWhileItEntered() {
    held = Promise.promise();
    stands.put(ANN, waiting(1));
    enters(ANN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    held.complete();
    held = null;
    stands.remove(ANN);
    told.clear();
    seats.changed(given(VERSION + 1));
    assertThat(told).isEmpty();
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatLost(ROOM, SeatLoss.LEFT));
  }

  @Test
  void whoWaitsAnewAfterASeatWasGivenWaits() {
    waits();
    seats.changed(given(VERSION + 1));
    stands.put(ANN, new Waiting(4, 3, 9, null, "place", VERSION + 2));
    pass(Duration.ofSeconds(4));
    assertThat(told.getLast()).isEqualTo(new SeatWaiting(null, ROOM, 4, 3, 9, null, "place"));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
  }
}
