package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.chaos.SeatEvent.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each fault that is planted in a log is found, and what is no fault is none. Rooms have two
/// seats; times are in seconds.
class SeatFindingsTest {
  private static final int ROOM = 1;
  private static final int END = 200;

  private final SeatLog log = new SeatLog();

  private static long nanos(double seconds) {
    return (long) (seconds * 1e9);
  }

  private void enters(double at, int account) {
    log.add(nanos(at), Kind.ENTERING, account, ROOM);
  }

  private void inside(double at, int account) {
    log.add(nanos(at), Kind.INSIDE, account, ROOM);
  }

  private void waits(double at, int account, long ticket) {
    log.add(nanos(at), Kind.WAITS, account, ROOM, ticket);
  }

  private void exits(double at, int account, double answered) {
    log.add(nanos(at), Kind.EXITING, account, ROOM);
    log.add(nanos(answered), Kind.EXITED, account, ROOM);
  }

  private void cut(double at, int account) {
    log.add(nanos(at), Kind.CUT, account, SeatEvent.ALL);
  }

  private void back(double at, int account) {
    log.add(nanos(at), Kind.BACK, account, SeatEvent.ALL);
  }

  private void lost(double at, int account) {
    log.add(nanos(at), Kind.LOST, account, ROOM);
  }

  private void redisIsLost(double from, double to) {
    log.lost(nanos(from), nanos(to));
  }

  private SeatFindings findings() {
    return SeatFindings.of(log, new SeatTruth(2, nanos(END), log.losses(), Duration.ofSeconds(2)));
  }

  private static List<Long> delays(SeatFindings findings) {
    return findings.turns().stream().map(SeatTurns.Taken::delay).toList();
  }

  private List<SeatFault.Kind> faults() {
    return findings().faults().stream().map(SeatFault::kind).toList();
  }

  /// Accounts 1 and 2 are inside.
  private void full() {
    enters(1, 1);
    inside(1.1, 1);
    enters(1, 2);
    inside(1.1, 2);
  }

  @Test
  void whoTakesTurnsIsNoFault() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(3, 4);
    waits(3.1, 4, 2);
    exits(10, 1, 10.1);
    inside(10.2, 3);
    exits(11, 2, 11.3);
    inside(11.2, 4);

    SeatFindings findings = findings();
    assertThat(findings.faults()).isEmpty();
    assertThat(findings.most()).isEqualTo(2);
    assertThat(delays(findings)).containsExactly(0L, nanos(10.2) - nanos(10.1));
  }

  @Test
  void oneTooManyInside() {
    full();
    enters(2, 3);
    inside(2.1, 3);
    assertThat(faults()).containsExactly(SeatFault.Kind.TOO_MANY_INSIDE);
  }

  @Test
  void aStayThatIsNotOverWhenTheNextOneBegins() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    inside(9.999, 3);
    exits(10, 1, 10.1);
    assertThat(faults()).containsExactly(SeatFault.Kind.TOO_MANY_INSIDE);
  }

  @Test
  void whoComesBackInTimeWasInsideMeanwhile() {
    full();
    cut(10, 1);
    enters(12, 3);
    inside(12.1, 3);
    back(14, 1);
    assertThat(faults()).as("it was not told yet").isEmpty();
    inside(14.1, 1);
    assertThat(faults()).containsExactly(SeatFault.Kind.TOO_MANY_INSIDE);
  }

  @Test
  void whoStaysAwayIsNotInsideAnyMore() {
    full();
    cut(10, 1);
    enters(12, 3);
    waits(12.1, 3, 1);
    inside(30.2, 3);
    back(50, 1);
    enters(50.1, 1);
    waits(50.2, 1, 2);
    assertThat(faults()).isEmpty();
  }

  @Test
  void aSeatThatIsLostWithinTheGrace() {
    full();
    cut(10, 1);
    back(20, 1);
    waits(20.1, 1, 7);
    assertThat(faults()).contains(SeatFault.Kind.DROPPED);
  }

  @Test
  void aSeatThatIsLostWithoutACause() {
    full();
    lost(20, 1);
    assertThat(faults()).containsExactly(SeatFault.Kind.DROPPED);
  }

  @Test
  void whoWasAwayWhenRedisWasLostMayHaveLostTheSeat() {
    full();
    cut(10, 1);
    redisIsLost(12, 34);
    back(20, 1);
    waits(20.1, 1, 7);
    inside(36, 1);
    assertThat(faults()).isEmpty();
  }

  @Test
  void somebodyIsOvertaken() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(2.2, 4);
    waits(2.3, 4, 2);
    exits(10, 1, 10.1);
    inside(10.2, 4);
    exits(20, 2, 20.1);
    inside(20.2, 3);
    assertThat(faults()).contains(SeatFault.Kind.OVERTAKEN);
  }

  @Test
  void whoGoesInWithoutWaitingOvertakesToo() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    exits(10, 1, 10.1);
    enters(10.1, 4);
    inside(10.2, 4);
    assertThat(faults()).contains(SeatFault.Kind.OVERTAKEN);
  }

  @Test
  void whoseTurnComesTogetherIsNotOvertaken() {
    full();
    enters(2, 3);
    waits(2.3, 3, 1);
    enters(2.2, 4);
    waits(2.4, 4, 2);
    exits(10, 1, 10.1);
    inside(10.2, 4);
    exits(20, 2, 20.1);
    inside(20.2, 3);
    assertThat(findings().count(SeatFault.Kind.OVERTAKEN)).as("asked before").isZero();
  }

  @Test
  void whoIsToldALittleLaterIsNotOvertaken() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(2.2, 4);
    waits(2.3, 4, 2);
    exits(10, 1, 10.1);
    exits(10, 2, 10.1);
    inside(10.2, 4);
    inside(11.9, 3);
    assertThat(faults()).isEmpty();
  }

  @Test
  void whoIsAwayForAWhileIsNotOvertakenIfTheSeatIsThereWhenItIsBack() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(2.2, 4);
    waits(2.3, 4, 2);
    cut(9, 3);
    exits(10, 1, 10.1);
    exits(10, 2, 10.1);
    inside(10.2, 4);
    back(20, 3);
    inside(20.2, 3);
    assertThat(faults()).isEmpty();
  }

  @Test
  void whoIsAwayForAWhileIsOvertakenIfItHasToWaitAgain() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(2.2, 4);
    waits(2.3, 4, 2);
    cut(9, 3);
    exits(10, 1, 10.1);
    inside(10.2, 4);
    back(20, 3);
    waits(20.1, 3, 9);
    exits(30, 2, 30.1);
    inside(30.2, 3);
    assertThat(faults()).contains(SeatFault.Kind.OVERTAKEN);
  }

  @Test
  void whoStaysAwayForTooLongIsNotOvertaken() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(2.2, 4);
    waits(2.3, 4, 2);
    cut(9, 3);
    exits(35, 1, 35.1);
    inside(35.2, 4);
    back(45, 3);
    enters(45.1, 3);
    waits(45.2, 3, 9);
    assertThat(faults()).isEmpty();
  }

  /// Account 4 waits all the time; account 3 was before it, and is away for 45 s.
  private void isBackAfterLong() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(3, 4);
    waits(3.1, 4, 2);
    cut(5, 3);
    back(50, 3);
    enters(52, 3);
    exits(57, 1, 57.9);
    inside(58, 3);
    exits(61, 2, 61.9);
    inside(62, 4);
  }

  @Test
  void whoClaimsAPlaceThatItHadWhenRedisWasLostOvertakesNobody() {
    isBackAfterLong();
    redisIsLost(27, 54);
    assertThat(faults()).isEmpty();
  }

  @Test
  void whoClaimsAPlaceThatItHadNoMoreOvertakes() {
    isBackAfterLong();
    redisIsLost(29, 54);
    assertThat(faults()).containsExactly(SeatFault.Kind.OVERTAKEN);
  }

  @Test
  void aSeatThatNobodyGetsAlthoughSomebodyWaits() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    exits(10, 1, 10.1);
    inside(13, 3);
    assertThat(faults()).containsExactly(SeatFault.Kind.NOT_FILLED);
    assertThat(findings().longestFree()).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(3));
    assertThat(delays(findings())).containsExactly(nanos(13) - nanos(10.1));
  }

  @Test
  void aSeatThatIsNotFilledBecauseRedisIsLost() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    exits(10, 1, 10.1);
    redisIsLost(10.2, 33);
    inside(34, 3);
    assertThat(faults()).isEmpty();
    assertThat(findings().turns()).isEmpty();
  }

  @Test
  void theSeatOfOneWhoDoesNotComeBackIsToBeAnothersInTime() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    cut(10, 1);
    inside(10.0 + SeatTruth.LEFT_BY.toSeconds() + 1, 3);
    assertThat(faults()).as("within the slack").isEmpty();
    assertThat(findings().leftBy()).isBetween(Duration.ofSeconds(30), SeatTruth.LEFT_BY);
  }

  @Test
  void theSeatOfOneWhoDoesNotComeBackIsNotFilled() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    cut(10, 1);
    inside(10.0 + SeatTruth.LEFT_BY.toSeconds() + 3, 3);
    assertThat(faults()).containsExactly(SeatFault.Kind.NOT_FILLED);
  }

  @Test
  void aSeatThatMayBeKeptForSomebodyWhoIsAwayIsNotFree() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(3, 4);
    waits(3.1, 4, 2);
    cut(9, 3);
    exits(10, 1, 10.1);
    inside(29.5, 4);
    assertThat(faults()).isEmpty();
    assertThat(findings().turns()).as("it was the turn of one who is away").isEmpty();
  }

  @Test
  void whoComesBackTooLateMayHaveLostItsPlace() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    enters(3, 4);
    waits(3.1, 4, 2);
    cut(4, 3);
    back(40, 3);
    exits(41, 1, 41.1);
    inside(41.2, 4);
    exits(42, 2, 42.1);
    enters(46, 3);
    inside(46.1, 3);

    SeatFindings findings = findings();
    assertThat(findings.faults()).isEmpty();
    assertThat(delays(findings)).containsExactly(nanos(41.2) - nanos(41.1));
  }

  @Test
  void whoAsksToLeaveWithoutAnAnswerMayHaveItsSeatStill() {
    full();
    enters(2, 3);
    waits(2.1, 3, 1);
    log.add(nanos(10), Kind.EXITING, 1, ROOM);
    enters(11, 1);
    inside(11.1, 1);
    assertThat(faults()).isEmpty();
  }
}
