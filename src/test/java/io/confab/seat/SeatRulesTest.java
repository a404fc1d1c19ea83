package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.RedisSeats.Entry;
import io.confab.seat.SeatPlace.Opened;
import io.confab.seat.SeatRules.Moment;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The rules of spec §7, one by one; [SeatHistories] holds the scripts to them.
class SeatRulesTest {
  private final SeatRules rules = new SeatRules(SeatBug.NONE);
  private long now = 1_000_000;
  private long rev;

  @BeforeEach
  void open() {
    rules.open(1, false, now);
    capacity(2);
  }

  private void capacity(int seats) {
    rev++;
    rules.visit(new Moment(now, new Capacity(seats, rev, 0), 0, 0));
  }

  private void connected(long... accounts) {
    LongStream.of(accounts).forEach(account -> enter(account, true));
  }

  private void enter(long account, boolean session) {
    rules.enter(Moment.at(now), new Entry(new AccountId(account), session, null, null));
  }

  private void beat(long... accounts) {
    rules.beat(
        Moment.at(now),
        LongStream.of(accounts).mapToObj(each -> Claim.none(new AccountId(each))).toList());
  }

  private void exit(long account) {
    rules.leave(Moment.at(now), SeatNews.LEFT, List.of(new AccountId(account)));
  }

  private void pass(long seconds) {
    now += seconds * 1_000;
  }

  /// Those who are there say so every 3 s.
  private void pass(long seconds, long... connected) {
    for (long second = 0; second < seconds; second += 3) {
      pass(Math.min(3, seconds - second));
      beat(connected);
    }
  }

  private Standing standing(long account) {
    return rules.standing(new AccountId(account), now);
  }

  private boolean isInside(long account) {
    return standing(account) instanceof Standing.In;
  }

  private boolean isOffered(long account) {
    return standing(account) instanceof Standing.Offer;
  }

  private boolean isOutside(long account) {
    return standing(account) instanceof Standing.Out;
  }

  private List<Long> line() {
    return rules.line().stream().map(AccountId::value).toList();
  }

  @Test
  void asManyAsThereAreSeatsAreInsideAndTheOthersWaitInTheOrderOfTheirComing() {
    connected(9, 3, 7, 1, 5);
    assertThat(isInside(9) && isInside(3)).isTrue();
    assertThat(line()).containsExactly(7L, 1L, 5L);
    exit(3);
    assertThat(isInside(7)).isTrue();
    exit(9);
    assertThat(line()).containsExactly(5L);
  }

  @Test
  void whoPollsKeepsItsPlaceFor30SecondsAndWhoIsConnectedAsLongAsItIs() {
    connected(1, 2, 3);
    enter(4, false);
    pass(29, 1, 2, 3);
    assertThat(line()).containsExactly(3L, 4L);
    enter(4, false);
    pass(29, 1, 2, 3);
    assertThat(line()).contains(4L);
    pass(2, 1, 2, 3);
    assertThat(line()).containsExactly(3L);
  }

  @Test
  void whoIsLostKeepsSeatAndPlaceFor20Seconds() {
    connected(1, 2, 3, 4);
    List.of(2L, 3L).forEach(each -> rules.disconnected(Moment.at(now), new AccountId(each)));
    pass(19, 1, 4);
    assertThat(isInside(2)).isTrue();
    assertThat(line()).containsExactly(3L, 4L);
    enter(3, true);
    assertThat(line()).as("it comes back").containsExactly(3L, 4L);
    pass(1, 1, 3, 4);
    assertThat(isOutside(2)).isTrue();
    assertThat(isInside(3)).isTrue();
  }

  @Test
  void whoComesAndGoesOnPurposeGainsNothing() {
    connected(1, 2, 3, 4, 5);
    for (int i = 0; i < 10; i++) {
      rules.disconnected(Moment.at(now), new AccountId(5));
      pass(1, 1, 2, 3, 4);
      enter(5, true);
    }
    assertThat(line()).containsExactly(3L, 4L, 5L);
    exit(4);
    enter(4, true);
    assertThat(line()).as("who left begins anew").containsExactly(3L, 5L, 4L);
  }

  @Test
  void oneWithoutASessionIsMadeAnOfferFor15SecondsAndThenTheNextOneIs() {
    connected(1, 2);
    enter(3, false);
    enter(4, false);
    exit(1);
    assertThat(isOffered(3)).isTrue();
    assertThat(rules.inside() + rules.offers()).isEqualTo(2);
    pass(14, 2);
    assertThat(isOffered(3)).isTrue();
    pass(1, 2);
    assertThat(isOutside(3)).isTrue();
    assertThat(isOffered(4)).isTrue();
    enter(4, false);
    assertThat(isInside(4)).isTrue();
  }

  @Test
  void oneWhoseConnectionWasJustLostKeepsItsTurnForTheGrace() {
    connected(1, 2, 3);
    rules.disconnected(Moment.at(now), new AccountId(3));
    exit(1);
    assertThat(isOffered(3)).isTrue();
    pass(19, 2);
    beat(3);
    assertThat(isInside(3)).isTrue();
  }

  @Test
  void aNodeThatDiedHoldsNobodyUp() {
    connected(1, 2, 3, 4);
    pass(10, 1, 4);
    exit(1);
    assertThat(isOffered(3)).as("its node says nothing any more").isTrue();
    pass(21, 4);
    assertThat(isInside(4)).isTrue();
  }

  @Test
  void oneInsideWithoutASessionKeepsItsSeatByPolling() {
    enter(1, false);
    for (int i = 0; i < 10; i++) {
      pass(25);
      enter(1, false);
    }
    assertThat(isInside(1)).isTrue();
    pass(30);
    rules.visit(Moment.at(now));
    assertThat(isOutside(1)).isTrue();
  }

  @Test
  void aLowerCapacityThrowsNobodyOutAndLetsNobodyIn() {
    connected(1, 2, 3, 4);
    capacity(1);
    assertThat(isInside(1) && isInside(2)).isTrue();
    exit(1);
    assertThat(line()).containsExactly(3L, 4L);
    exit(2);
    assertThat(isInside(3)).isTrue();
    capacity(5);
    assertThat(isInside(4)).isTrue();
  }

  @Test
  void anOlderCapacityIsPassedOver() {
    connected(1, 2, 3);
    rules.visit(new Moment(now, new Capacity(9, rev - 1, 0), 0, 0));
    assertThat(line()).containsExactly(3L);
  }

  @Test
  void aNewCapacityFindsNobodyInsideThoughNobodyToldOfTheEndOfTheOldOne() {
    connected(1, 2, 3);
    rules.visit(new Moment(now, new Capacity(5, rev + 2, rev + 2), 0, 0));
    assertThat(rules.inside()).isZero();
    assertThat(line()).isEmpty();
    enter(1, true);
    assertThat(line()).as("it begins with a pause").containsExactly(1L);
  }

  @Test
  void whoIsLetInGoesToTheHeadAndWaitsForASeat() {
    connected(1, 2, 3, 4);
    rules.letIn(Moment.at(now), new AccountId(4));
    rules.letIn(Moment.at(now), new AccountId(6));
    assertThat(line()).containsExactly(6L, 4L, 3L);
    assertThat(rules.inside() + rules.offers()).isEqualTo(2);
    exit(1);
    assertThat(isOffered(6)).isTrue();
  }

  @Test
  void theEstimateComesFromDeparturesAndThereIsNoneBeforeThree() {
    connected(1, 2, 3, 4, 5, 6, 7);
    pass(10, 1, 2, 3, 4, 5, 6, 7);
    exit(1);
    pass(10, 2, 3, 4, 5, 6, 7);
    exit(2);
    assertThat(estimate(6)).isNull();
    pass(10, 3, 4, 5, 6, 7);
    exit(3);
    pass(10, 4, 5, 6, 7);
    assertThat(estimate(6)).as("three in 30 s").isEqualTo(10);
    assertThat(estimate(7)).isEqualTo(20);
  }

  private @Nullable Long estimate(long account) {
    return standing(account) instanceof Standing.InLine(_, _, Long estimate) ? estimate : null;
  }

  @Test
  void inThePauseOldTicketsComeBeforeNewOnesAndNobodyIsLetIn() {
    rules.open(2, true, now);
    rules.visit(new Moment(now, new Capacity(2, 9, 0), 0, 0));
    enter(5, true);
    claim(4, "4294967298");
    claim(3, "4294967297");
    claim(1, Claim.SEAT);
    assertThat(line()).containsExactly(3L, 4L, 5L);
    assertThat(rules.inside()).isEqualTo(1);
    claim(2, Claim.SEAT);
    claim(8, Claim.SEAT);
    assertThat(isOutside(8)).as("never above N").isTrue();
    exit(1);
    assertThat(line()).containsExactly(3L, 4L, 5L);
    pass(15, 2, 3, 4, 5);
    assertThat(isInside(3)).isTrue();
    claim(9, "4294967296");
    assertThat(isOutside(9)).as("it comes too late").isTrue();
  }

  @Test
  void aTicketOfThisOpeningIsNotClaimed() {
    rules.open(2, true, now);
    rules.visit(new Moment(now, new Capacity(1, 9, 0), 0, 0));
    claim(3, "8589934593");
    assertThat(isOutside(3)).isTrue();
  }

  private void claim(long account, String what) {
    claim(account, what, 0);
  }

  private void claim(long account, String what, long began) {
    rules.beat(Moment.at(now), List.of(new Claim(new AccountId(account), what, began)));
  }

  @Test
  void nothingIsClaimedThatWasHadUnderAnotherCapacity() {
    rules.open(2, true, now);
    rules.visit(new Moment(now, new Capacity(5, 12, 12), 0, 0));
    claim(1, Claim.SEAT, 0);
    claim(3, "4294967297", 0);
    assertThat(isOutside(1) && isOutside(3)).isTrue();
    rules.enter(
        Moment.at(now),
        new Entry(new AccountId(3), false, new Opened(4294967297L, 0, Duration.ZERO), 0L));
    assertThat(isInside(3)).isFalse();
    claim(4, "4294967298", 12);
    claim(2, Claim.SEAT, 12);
    assertThat(isInside(2)).isTrue();
    assertThat(line()).containsExactly(4L, 3L);
  }

  @Test
  void nobodyLosesAnythingWhileNobodyCouldSayAnything() {
    connected(1, 2, 3);
    pass(60);
    rules.visit(new Moment(now, null, 0, 20_000));
    assertThat(isInside(1) && isInside(2)).isTrue();
    beat(1, 3);
    assertThat(isOutside(2)).as("the calm is over").isTrue();
  }

  @Test
  void withoutACapacityNobodyIsInsideAndTheNextOneBeginsWithAPause() {
    connected(1, 2, 3);
    capacity(0);
    assertThat(isOutside(1) && isOutside(3)).isTrue();
    capacity(2);
    enter(1, true);
    assertThat(isInside(1)).isFalse();
    claim(2, Claim.SEAT);
    assertThat(isOutside(2)).as("nothing is claimed").isTrue();
    pass(15, 1);
    assertThat(isInside(1)).isTrue();
  }
}
