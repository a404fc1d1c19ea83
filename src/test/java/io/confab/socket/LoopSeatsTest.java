package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.AccountSignal.SeatChanged;
import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.SeatLoss;
import io.confab.protocol.ServerFrame.SeatInside;
import io.confab.protocol.ServerFrame.SeatLost;
import io.confab.protocol.ServerFrame.SeatWaiting;
import io.confab.seat.SeatCommand;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Disconnected;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Exit;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatState;
import io.confab.seat.SeatState.Outside;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoopSeatsTest extends SeatsOfALoop {
  @Test
  void whoComesBackTakesUpWhatItHasAndIsTold() {
    takesUp(ANN, IN);
    takesUp(BOB, waiting(1));
    assertThat(told)
        .containsExactly(
            new SeatInside(null, ROOM, 1, 2),
            new SeatWaiting(null, ROOM, 1, 0, 1_000, null, "place"));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    assertThat(seats.isKnownInside(BOB, ROOM)).isFalse();
  }

  @Test
  void whoHasNothingIsNotTold() {
    takesUp(ANN, new Outside());
    assertThat(told).isEmpty();
    assertThat(seats.size()).isZero();
  }

  @Test
  void sessionsThatBeginTogetherAreLookedAtTogether() {
    stands.put(ANN, IN);
    stands.put(BOB, IN);
    seats.resumed(ANN, ROOM);
    seats.resumed(BOB, ROOM);
    pass(Duration.ofMillis(50));
    assertThat(asked).hasSize(1);
    assertThat(told).hasSize(2);
  }

  @Test
  void aSeatIsHonouredForTenSecondsFromTheSendingOfWhatConfirmedIt() {
    takesUp(ANN, IN);
    away = true;
    pass(Duration.ofMillis(9_900));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    pass(Duration.ofMillis(200));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    assertThat(seats.find(ANN, ROOM).failed()).isTrue();
    int before = streamsLooked;
    away = false;
    pass(Duration.ofSeconds(4));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    assertThat(streamsLooked).isGreaterThan(before);
  }

  @Test
  void anAnswerThatIsLateConfirmsNothingForLonger() {
    takesUp(ANN, IN);
    held = Promise.promise();
    pass(Duration.ofSeconds(9));
    held.complete();
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    held = Promise.promise();
    pass(Duration.ofSeconds(12));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
  }

  @Test
  void anAnswerFromBeforeTheLossTellsNothing() {
    takesUp(ANN, IN);
    held = Promise.promise();
    pass(Duration.ofSeconds(4));
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.REMOVED));
    Promise<Void> before = held;
    held = null;
    before.complete();
    stands.remove(ANN);
    pass(Duration.ofMillis(50));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    assertThat(told.getLast()).isEqualTo(new SeatLost(ROOM, SeatLoss.REMOVED));
    assertThat(told).hasSize(2);
  }

  /// Begins to look what somebody has, of whom nothing is known.
  ///
  /// @return completed with what is so now
  private Promise<Void> looksAt(AccountId account, SeatState state) {
    Promise<Void> answer = Promise.promise();
    stands.put(account, state);
    seats.resumed(account, ROOM);
    held = answer;
    pass(Duration.ofMillis(50));
    held = null;
    return answer;
  }

  @Test
  void anAnswerFromBeforeTheExitTellsNothing() {
    Promise<Void> before = looksAt(ANN, IN);
    Promise<Void> too = looksAt(ANN, IN);
    stands.remove(ANN);
    seats.left(ANN, ROOM);
    before.complete();
    takesUp(ANN, new Outside());
    too.complete();
    assertThat(told).isEmpty();
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    takesUp(ANN, IN);
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 1, 2));
  }

  @Test
  void whatIsSoSinceTheExitIsToldThoughAnAnswerFromBeforeItComesMeanwhile() {
    Promise<Void> before = looksAt(ANN, IN);
    seats.left(ANN, ROOM);
    Promise<Void> since = looksAt(ANN, waiting(2));
    before.complete();
    assertThat(told).isEmpty();
    since.complete();
    assertThat(told).containsExactly(new SeatWaiting(null, ROOM, 2, 1, 1_000, null, "place"));
  }

  @Test
  void theSecondOfTwoAnswersIsToldToo() {
    Promise<Void> first = looksAt(ANN, new Outside());
    Promise<Void> second = looksAt(ANN, IN);
    first.complete();
    assertThat(told).isEmpty();
    second.complete();
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 1, 2));
  }

  @Test
  void whoEnteredElsewhereBeforeTheAnswerToItsExitCameIsTold() {
    Promise<Void> since = looksAt(ANN, waiting(2));
    seats.left(ANN, ROOM);
    since.complete();
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatWaiting(null, ROOM, 2, 1, 1_000, null, "place"));
  }

  @Test
  void anAnswerFromBeforeTheLastSessionWentTellsTheNextOneNothing() {
    Promise<Void> before = looksAt(ANN, IN);
    seats.gone(ANN);
    stands.remove(ANN);
    Promise<Void> since = looksAt(ANN, new Outside());
    before.complete();
    since.complete();
    assertThat(told).isEmpty();
  }

  @Test
  void anAnswerFromBeforeALossThatIsHeardDoesNotSayThatOneIsInside() {
    takesUp(ANN, waiting(1));
    told.clear();
    stands.put(ANN, IN);
    held = Promise.promise();
    pass(Duration.ofSeconds(2));
    Promise<Void> before = held;
    held = null;
    stands.remove(ANN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    before.complete();
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatLost(ROOM, SeatLoss.LEFT));
  }

  @Test
  void whoBeginsWhileALossIsLookedAtIsToldWhatComesOfIt() {
    takesUp(ANN, IN);
    told.clear();
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    assertThat(seats.resumed(ANN, ROOM)).isEmpty();
    pass(Duration.ofMillis(50));
    assertThat(told).as("it was told late").containsExactly(new SeatInside(null, ROOM, 1, 2));
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    assertThat(seats.resumed(ANN, ROOM)).isEmpty();
    stands.remove(ANN);
    pass(Duration.ofMillis(50));
    assertThat(told.getLast()).isEqualTo(new SeatLost(ROOM, SeatLoss.LEFT));
  }

  @Test
  void anAnswerFromBeforeTheEndOfAMembershipTellsNothing() {
    Promise<Void> before = looksAt(ANN, IN);
    stands.remove(ANN);
    seats.ended(ANN, ROOM);
    before.complete();
    assertThat(told).isEmpty();
    assertThat(seats.size()).isZero();
  }

  @Test
  void whoLeftElsewhereWhileItIsLookedAtIsLookedAtAnew() {
    Promise<Void> before = looksAt(ANN, IN);
    stands.put(ANN, waiting(2));
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    before.complete();
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatWaiting(null, ROOM, 2, 1, 1_000, null, "place"));
  }

  @Test
  void aLossThatIsToldLateTakesNothingAway() {
    takesUp(ANN, IN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    pass(Duration.ofSeconds(1));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    assertThat(told).hasSize(1);
    stands.remove(ANN);
    pass(Duration.ofSeconds(4));
    assertThat(told.getLast()).isEqualTo(new SeatLost(ROOM, SeatLoss.EXPIRED));
  }

  @Test
  void whatMayHaveBeenMissedIsLookedAtAnew() {
    seats.missed(ANN, ROOM);
    stands.put(ANN, IN);
    pass(Duration.ofMillis(50));
    assertThat(told).containsExactly(new SeatInside(null, ROOM, 1, 2));
    asked.clear();
    seats.missed(ANN, ROOM);
    pass(Duration.ofMillis(50));
    assertThat(asked).isEmpty();
  }

  @Test
  void aCheckInThatFailedIsTriedAgainASecondLater() {
    takesUp(ANN, IN);
    away = true;
    pass(Duration.ofSeconds(12));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    away = false;
    pass(Duration.ofMillis(1_100));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
  }

  @Test
  void aPlaceThatDoesNotMoveIsToldAnewBeforeItIsTooOldToClaim() {
    takesUp(ANN, waiting(3));
    takesUp(BOB, waiting(9_001));
    told.clear();
    pass(Duration.ofSeconds(50));
    assertThat(told).hasSizeBetween(8, 10);
  }

  @Test
  void whoIsMovedInsideIsTold() {
    takesUp(ANN, waiting(1));
    stands.put(ANN, IN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.INSIDE));
    pass(Duration.ofMillis(50));
    assertThat(told.getLast()).isEqualTo(new SeatInside(null, ROOM, 1, 2));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
  }

  @Test
  void whoIsMovedInsideWhileItIsLookedAtIsToldAtOnce() {
    held = Promise.promise();
    takesUp(ANN, waiting(1));
    stands.put(ANN, IN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.INSIDE));
    pass(Duration.ofMillis(50));
    held.complete();
    pass(Duration.ofMillis(50));
    assertThat(told.getLast()).isEqualTo(new SeatInside(null, ROOM, 1, 2));
  }

  @Test
  void aSeatThatIsGoneWithoutASignalIsLostAtTheNextBeat() {
    takesUp(ANN, IN);
    stands.remove(ANN);
    pass(Duration.ofSeconds(4));
    assertThat(told.getLast()).isEqualTo(new SeatLost(ROOM, SeatLoss.EXPIRED));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
  }

  @Test
  void positionsAreToldAsOftenAsTheLineIsLong() {
    takesUp(ANN, waiting(3));
    takesUp(BOB, waiting(901));
    told.clear();
    for (int second = 1; second <= 20; second++) {
      stands.put(ANN, waiting(300 - second));
      stands.put(BOB, waiting(901 - second));
      pass(Duration.ofSeconds(1));
    }
    long near = told.stream().filter(f -> f instanceof SeatWaiting w && w.position() < 301).count();
    long far = told.stream().filter(f -> f instanceof SeatWaiting w && w.position() > 800).count();
    assertThat(near).isBetween(5L, 20L);
    assertThat(far).isBetween(1L, 3L);
  }

  private long checkInsOf(Duration time, Duration each) {
    asked.clear();
    takes = each;
    pass(time);
    return count(Beat.class);
  }

  @Test
  void whereCheckInsTakeLongThoseWhoWaitCheckInNoMoreOftenThanOthers() {
    takesUp(ANN, waiting(3));
    Duration time = Duration.ofSeconds(30);
    assertThat(checkInsOf(time, Duration.ofMillis(20))).isBetween(28L, 31L);
    checkInsOf(time, Duration.ofSeconds(5));
    assertThat(checkInsOf(time, Duration.ofMillis(800))).isBetween(9L, 11L);
    checkInsOf(time, Duration.ofMillis(20));
    assertThat(checkInsOf(time, Duration.ofMillis(20))).isBetween(28L, 31L);
  }

  @Test
  void checkInsAreOfManyAtATime() {
    for (int i = 10; i < 1_210; i++) {
      here.add(new AccountId(i));
      stands.put(new AccountId(i), IN);
      seats.resumed(new AccountId(i), ROOM);
    }
    pass(Duration.ofMillis(50));
    asked.clear();
    pass(Duration.ofSeconds(3));
    assertThat(asked).hasSize(3);
  }

  @Test
  void whoLeavesIsSaidToHaveLostTheConnection() {
    takesUp(ANN, IN);
    here.remove(ANN);
    seats.gone(ANN);
    assertThat(asked).contains(new Disconnected(ROOM, ANN));
    assertThat(seats.size()).isZero();
    asked.clear();
    pass(Duration.ofSeconds(10));
    assertThat(asked).isEmpty();
  }

  @Test
  void onlyWhatOneNodeCannotKnowIsAsked() {
    takesUp(ANN, IN);
    assertThat(seats.find(ANN, ROOM).result()).isTrue();
    assertThat(count(Find.class)).isZero();
    assertThat(seats.find(BOB, ROOM).result()).isFalse();
    assertThat(count(Find.class)).isEqualTo(1);
  }

  @Test
  void whatIsToldOfOnesOwnEntryIsNotLookedUp() {
    held = Promise.promise();
    stands.put(ANN, waiting(3));
    enters(ANN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.WAITING));
    held.complete();
    held = null;
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.WAITING));
    pass(Duration.ofMillis(50));
    assertThat(count(Beat.class)).isZero();
    assertThat(told).containsExactly(new SeatWaiting(null, ROOM, 3, 2, 1_000, null, "place"));
  }

  @Test
  void whoIsMovedInsideWhileItEntersIsToldAtOnce() {
    held = Promise.promise();
    stands.put(ANN, waiting(1));
    enters(ANN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.INSIDE));
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.WAITING));
    stands.put(ANN, IN);
    held.complete();
    held = null;
    pass(Duration.ofMillis(50));
    assertThat(told.getLast()).isEqualTo(new SeatInside(null, ROOM, 1, 2));
  }

  @Test
  void whatIsToldOfOnesOwnExitIsNotLookedUp() {
    takesUp(ANN, IN);
    asked.clear();
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    seats.left(ANN, ROOM);
    pass(Duration.ofMillis(50));
    assertThat(asked).isEmpty();
    assertThat(told.getLast()).isEqualTo(new SeatLost(ROOM, SeatLoss.LEFT));
  }

  @Test
  void whoEntersElsewhereAfterAnExitHereIsLookedAt() {
    takesUp(ANN, IN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    seats.left(ANN, ROOM);
    stands.put(ANN, waiting(2));
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.WAITING));
    pass(Duration.ofMillis(50));
    assertThat(told.getLast()).isEqualTo(new SeatWaiting(null, ROOM, 2, 1, 1_000, null, "place"));
  }

  @Test
  void aSeatThatIsSaidToBeLostIsNotHonouredUntilThatIsLookedAt() {
    takesUp(ANN, IN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.LEFT));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    assertThat(seats.isKnownInside(ANN, ROOM, SeatCommand.ENOUGH)).isFalse();
    pass(Duration.ofMillis(50));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
  }

  @Test
  void whoIsNotConfirmedIsToldThatTheSeatIsLostBeforeItMayBeAnothers() {
    takesUp(ANN, IN);
    away = true;
    pass(Duration.ofSeconds(12));
    assertThat(told).hasSize(1);
    pass(Duration.ofSeconds(3));
    assertThat(told.subList(1, told.size())).containsExactly(new SeatLost(ROOM, SeatLoss.EXPIRED));
    away = false;
    pass(Duration.ofSeconds(2));
    assertThat(told.getLast()).isEqualTo(new SeatInside(null, ROOM, 1, 2));
    stands.remove(ANN);
    away = true;
    pass(Duration.ofSeconds(16));
    away = false;
    pass(Duration.ofSeconds(2));
    assertThat(told.stream().filter(SeatLost.class::isInstance)).as("once each").hasSize(2);
  }

  @Test
  void whenTooManyEnterAtOnceTheOthersAreToldWhenToComeAgain() {
    held = Promise.promise();
    for (int i = 0; i < SeatEntries.MOST; i++) {
      enters(new AccountId(10 + i));
    }
    asked.clear();
    Throwable refused = seats.enter(ANN, ROOM, null, null, _ -> {}).cause();
    assertThat(refused)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.retryAfter()).isPresent());
    assertThat(asked).isEmpty();
    enters(new AccountId(10));
    assertThat(count(Enter.class)).as("is about to already").isEqualTo(1);
    held.complete();
    enters(ANN);
    assertThat(count(Enter.class)).isEqualTo(2);
  }

  @Test
  void whoHasSomethingMayEnterHoweverManyDo() {
    takesUp(ANN, waiting(1));
    held = Promise.promise();
    for (int i = 0; i < SeatEntries.MOST; i++) {
      enters(new AccountId(10 + i));
    }
    assertThat(seats.enter(ANN, ROOM, null, null, _ -> {}).failed()).isFalse();
  }

  @Test
  void whoseMembershipEndsWhileItEntersKeepsNothing() {
    held = Promise.promise();
    stands.put(ANN, IN);
    Future<?> entered = seats.enter(ANN, ROOM, null, null, _ -> {});
    seats.ended(ANN, ROOM);
    assertThat(count(Exit.class)).isZero();
    held.complete();
    assertThat(count(Exit.class)).isEqualTo(1);
    assertThat(entered.failed()).isTrue();
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void whoIsAMemberAgainAndEntersMeanwhileKeepsThat() {
    Promise<Void> before = Promise.promise();
    held = before;
    stands.put(ANN, IN);
    enters(ANN);
    seats.ended(ANN, ROOM);
    held = null;
    enters(ANN);
    before.complete();
    assertThat(count(Exit.class)).isZero();
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
  }

  @Test
  void aLossThatIsToldWhileOneEntersIsLookedAt() {
    held = Promise.promise();
    stands.put(ANN, IN);
    enters(ANN);
    seats.changed(new SeatChanged(ANN, ROOM, SeatNews.REMOVED));
    held.complete();
    held = null;
    stands.remove(ANN);
    pass(Duration.ofMillis(50));
    assertThat(seats.isKnownInside(ANN, ROOM)).isFalse();
  }

  @Test
  void whoIsInsideAndEntersClaimsItsSeatFirst() {
    takesUp(ANN, IN);
    asked.clear();
    enters(ANN);
    assertThat(asked).hasSize(2);
    assertThat(asked.getFirst()).isInstanceOf(Beat.class);
    assertThat(((Beat) asked.getFirst()).held())
        .extracting(Held::began)
        .containsExactly(IN.began());
  }

  @Test
  void whatWaitsToBeDoneIsForThoseWhoseSeatLastsUntilThen() {
    takesUp(ANN, IN);
    away = true;
    pass(SeatCommand.LEASE.minus(SeatCommand.ENOUGH).plusMillis(100));
    assertThat(seats.isKnownInside(ANN, ROOM)).isTrue();
    assertThat(seats.isKnownInside(ANN, ROOM, SeatCommand.ENOUGH)).isFalse();
    assertThat(seats.find(ANN, ROOM).failed()).isTrue();
  }

  @Test
  void whoeverChecksInAsUsualMayWriteAtAnyTime() {
    takesUp(ANN, IN);
    for (int i = 0; i < 200; i++) {
      assertThat(seats.isKnownInside(ANN, ROOM, SeatCommand.ENOUGH)).isTrue();
      pass(Duration.ofMillis(100));
    }
  }
}
