package io.confab.ledger;

import static io.confab.ledger.Invariant.ACKS_AGREE;
import static io.confab.ledger.Invariant.DENSE;
import static io.confab.ledger.Invariant.FAULTS_SEEN;
import static io.confab.ledger.Invariant.NOTHING_LOST;
import static io.confab.ledger.Invariant.NOTHING_MADE_UP;
import static io.confab.ledger.Invariant.ONE_TRUTH;
import static io.confab.ledger.Invariant.REAL_TIME_ORDER;
import static io.confab.ledger.Invariant.STORED_ONCE;
import static io.confab.ledger.Invariant.VIEW_COMPLETE;
import static io.confab.ledger.Invariant.VIEW_IN_ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each invariant has a history that keeps it and one that breaks it.
///
/// The usual history: ann (from one device) sends a and b to the room, which becomes seqs 1 and 2
/// with revs 2 and 3; rev 1 is her joining. Bob views the room from its rev 0 on.
@Timeout(30)
class InvariantsTest {
  private final List<Entry> history = new ArrayList<>();
  private final List<Stored> stored = new ArrayList<>();
  private final List<FinalRead> others = new ArrayList<>();
  private long lastRev = 3;

  private void then(LongFunction<Entry> entry) {
    history.add(entry.apply(history.size()));
  }

  private void send(String clientId) {
    then(t -> new Entry.SendBegan(t, "ann-1", "room", clientId, "ann", "#" + clientId));
  }

  private void ack(String clientId, long seq) {
    then(t -> new Entry.Acked(t, "ann-1", "room", clientId, seq, false));
  }

  private void unknown(String clientId) {
    then(t -> new Entry.Unknown(t, "ann-1", clientId));
  }

  private void view(String view, long rev) {
    then(t -> new Entry.ViewBegan(t, view, "bob-1", "bob", "room", 1, rev));
  }

  private void joined(String view) {
    then(t -> new Entry.Received(t, view, "room", 1, 1, "member.joined", 0, "", "", ""));
  }

  private void receive(String view, long rev, long seq, String clientId) {
    receive(view, rev, seq, clientId, "#" + clientId);
  }

  private void receive(String view, long rev, long seq, String clientId, String hash) {
    then(
        t ->
            new Entry.Received(t, view, "room", 1, rev, Entry.MESSAGE, seq, "ann", clientId, hash));
  }

  private void keep(long seq, long rev, String clientId) {
    keep(seq, rev, clientId, "#" + clientId);
  }

  private void keep(long seq, long rev, String clientId, String hash) {
    stored.add(new Stored("room", 1, seq, rev, "ann", clientId, hash));
  }

  private List<Invariant> broken() {
    List<FinalRead> reads = new ArrayList<>();
    reads.add(new FinalRead("sql", "room", 1, lastRev, stored));
    reads.addAll(others);
    return Invariants.check(history, reads).stream().map(Violation::name).distinct().toList();
  }

  private void twoAreSent() {
    send("a");
    ack("a", 1);
    send("b");
    ack("b", 2);
  }

  private void twoAreKept() {
    keep(1, 2, "a");
    keep(2, 3, "b");
  }

  private void bobSeesBoth() {
    view("bob-1", 0);
    joined("bob-1");
    receive("bob-1", 2, 1, "a");
    receive("bob-1", 3, 2, "b");
  }

  private void commitLost(long epoch, long seq, long rev, String clientId) {
    then(t -> new Entry.CommitLost(t, "room", epoch, seq, rev, "ann", clientId));
  }

  @Test
  void whatWasLostWithAnOlderEpochIsNotMissed() {
    send("a");
    ack("a", 1);
    keep(1, 2, "a");
    send("b");
    ack("b", 2);
    lastRev = 2;
    assertThat(broken()).containsExactly(NOTHING_LOST);
    commitLost(0, 2, 3, "b");
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatIsLostWithinAnEpochIsMissed() {
    send("a");
    ack("a", 1);
    commitLost(1, 1, 2, "a");
    lastRev = 1;
    assertThat(broken()).containsExactly(NOTHING_LOST);
  }

  @Test
  void onlyWhatIsSaidToBeLostIsNotMissed() {
    send("a");
    ack("a", 1);
    send("b");
    ack("b", 2);
    commitLost(0, 2, 3, "b");
    lastRev = 1;
    assertThat(broken()).containsExactly(NOTHING_LOST);
  }

  @Test
  void theUsualHistoryKeepsAll() {
    twoAreSent();
    bobSeesBoth();
    twoAreKept();
    others.add(new FinalRead("history", "room", 1, 3, stored));
    assertThat(broken()).isEmpty();
  }

  @Test
  void anEmptyHistoryKeepsAll() {
    assertThat(Invariants.check(List.of(), List.of())).isEmpty();
  }

  @Test
  void acknowledgedButNotStored() {
    twoAreSent();
    keep(1, 2, "a");
    lastRev = 2;
    assertThat(broken()).containsExactly(NOTHING_LOST);
  }

  @Test
  void acknowledgedInARoomThatNobodyFinds() {
    twoAreSent();
    assertThat(Invariants.check(history, List.of()))
        .extracting(Violation::name)
        .containsOnly(NOTHING_LOST);
  }

  @Test
  void neitherAcknowledgedNorStored() {
    send("a");
    unknown("a");
    send("b");
    then(t -> new Entry.Refused(t, "ann-1", "b", "unavailable"));
    lastRev = 1;
    assertThat(broken()).isEmpty();
  }

  @Test
  void storedButNeverSent() {
    send("a");
    ack("a", 1);
    twoAreKept();
    assertThat(broken()).containsExactly(NOTHING_MADE_UP);
  }

  @Test
  void storedWithOtherBytes() {
    twoAreSent();
    keep(1, 2, "a");
    keep(2, 3, "b", "#other");
    assertThat(broken()).containsExactly(NOTHING_MADE_UP);
  }

  @Test
  void receivedWithOtherBytes() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 2);
    receive("bob-1", 3, 2, "b", "#other");
    assertThat(broken()).containsExactly(NOTHING_MADE_UP);
  }

  @Test
  void receivedButNeverSent() {
    send("a");
    ack("a", 1);
    keep(1, 2, "a");
    view("bob-1", 2);
    receive("bob-1", 3, 2, "ghost");
    assertThat(broken()).containsExactly(NOTHING_MADE_UP, ONE_TRUTH);
  }

  @Test
  void storedTwiceAfterAnUnknownOutcome() {
    send("a");
    unknown("a");
    send("a");
    ack("a", 2);
    keep(1, 2, "a");
    keep(2, 3, "a");
    assertThat(broken()).contains(STORED_ONCE);
  }

  @Test
  void storedOnceAfterAnUnknownOutcome() {
    send("a");
    unknown("a");
    send("a");
    then(t -> new Entry.Acked(t, "ann-1", "room", "a", 1, true));
    keep(1, 2, "a");
    lastRev = 2;
    assertThat(broken()).isEmpty();
  }

  @Test
  void acknowledgedUnderTwoSeqs() {
    twoAreSent();
    ack("a", 2);
    twoAreKept();
    assertThat(broken()).containsExactly(ACKS_AGREE);
  }

  @Test
  void acknowledgedUnderAnotherSeqThanStored() {
    send("a");
    send("b");
    ack("a", 2);
    ack("b", 1);
    twoAreKept();
    assertThat(broken()).containsExactly(ACKS_AGREE);
  }

  @Test
  void aHoleInTheSeqs() {
    send("a");
    send("b");
    keep(1, 2, "a");
    keep(3, 3, "b");
    assertThat(broken()).containsExactly(DENSE);
  }

  @Test
  void revsThatFallWhileSeqsRise() {
    send("a");
    send("b");
    keep(1, 3, "a");
    keep(2, 2, "b");
    assertThat(broken()).containsExactly(DENSE);
  }

  @Test
  void aHoleInAView() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 0);
    joined("bob-1");
    receive("bob-1", 3, 2, "b");
    assertThat(broken()).containsExactly(VIEW_IN_ORDER);
  }

  @Test
  void aRepeatInAView() {
    twoAreSent();
    twoAreKept();
    bobSeesBoth();
    receive("bob-1", 3, 2, "b");
    assertThat(broken()).containsExactly(VIEW_IN_ORDER);
  }

  @Test
  void twoSwappedInAView() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 1);
    receive("bob-1", 3, 2, "b");
    receive("bob-1", 2, 1, "a");
    assertThat(broken()).contains(VIEW_IN_ORDER);
  }

  @Test
  void anEventOfAnotherEpochInAView() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 2);
    then(t -> new Entry.Received(t, "bob-1", "room", 2, 3, Entry.MESSAGE, 2, "ann", "b", "#b"));
    assertThat(broken()).contains(VIEW_IN_ORDER);
  }

  @Test
  void somethingAfterTheEndOfAView() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 2);
    then(t -> new Entry.ViewEnded(t, "bob-1"));
    receive("bob-1", 3, 2, "b");
    assertThat(broken()).containsExactly(VIEW_IN_ORDER);
  }

  @Test
  void aViewWithoutTheLastEvent() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 1);
    receive("bob-1", 2, 1, "a");
    assertThat(broken()).containsExactly(VIEW_COMPLETE);
  }

  @Test
  void anEndedViewNeedsNoMore() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 1);
    receive("bob-1", 2, 1, "a");
    then(t -> new Entry.ViewEnded(t, "bob-1"));
    assertThat(broken()).isEmpty();
  }

  @Test
  void aViewThatBeganAnewGoesOnFromThere() {
    twoAreSent();
    twoAreKept();
    then(t -> new Entry.ViewBegan(t, "bob-1", "bob-1", "bob", "room", 0, 70));
    then(t -> new Entry.ViewReset(t, "bob-1", "room", 1, 2));
    receive("bob-1", 3, 2, "b");
    assertThat(broken()).isEmpty();
  }

  @Test
  void acknowledgedLaterButNumberedEarlier() {
    send("b");
    ack("b", 2);
    send("a");
    ack("a", 1);
    twoAreKept();
    assertThat(broken()).containsExactly(REAL_TIME_ORDER);
  }

  @Test
  void sendsAtTheSameTimeMayHaveAnyOrder() {
    send("b");
    send("a");
    ack("b", 2);
    ack("a", 1);
    twoAreKept();
    assertThat(broken()).isEmpty();
  }

  @Test
  void aRetryKeepsTheTimeOfItsFirstTry() {
    send("a");
    unknown("a");
    send("b");
    ack("b", 2);
    send("a");
    ack("a", 1);
    twoAreKept();
    assertThat(broken()).isEmpty();
  }

  @Test
  void aViewThatTellsAnotherMessageThanIsStored() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 2);
    receive("bob-1", 3, 1, "a");
    assertThat(broken()).containsExactly(ONE_TRUTH);
  }

  @Test
  void twoViewsThatDiffer() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 0);
    joined("bob-1");
    then(t -> new Entry.ViewEnded(t, "bob-1"));
    view("bob-2", 0);
    then(t -> new Entry.Received(t, "bob-2", "room", 1, 1, "member.left", 0, "", "", ""));
    then(t -> new Entry.ViewEnded(t, "bob-2"));
    assertThat(broken()).containsExactly(ONE_TRUTH);
  }

  @Test
  void somethingHiddenIsOnlyANumber() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 2);
    then(t -> new Entry.Received(t, "bob-1", "room", 1, 3, Entry.HIDDEN, 0, "", "", ""));
    assertThat(broken()).isEmpty();
  }

  private void told(long rev, long seq) {
    then(t -> new Entry.Received(t, "bob-1", "room", 1, rev, Entry.SEALED, seq, "", "", ""));
  }

  @Test
  void aMessageOfASealedRoomIsToldByItsNumber() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 1);
    told(2, 1);
    told(3, 2);
    assertThat(broken()).isEmpty();
  }

  @Test
  void aMessageOfASealedRoomThatIsToldByAnotherNumber() {
    twoAreSent();
    twoAreKept();
    view("bob-1", 2);
    told(3, 1);
    assertThat(broken()).containsExactly(ONE_TRUTH);
  }

  @Test
  void aWayOfReadingThatFindsLess() {
    twoAreSent();
    twoAreKept();
    others.add(new FinalRead("history", "room", 1, 3, stored.subList(0, 1)));
    assertThat(broken()).containsExactly(ONE_TRUTH);
  }

  @Test
  void aWayOfReadingThatFindsSomethingElse() {
    twoAreSent();
    twoAreKept();
    others.add(
        new FinalRead(
            "history",
            "room",
            1,
            3,
            List.of(stored.getFirst(), new Stored("room", 1, 2, 3, "ann", "b", "#other"))));
    assertThat(broken()).containsExactly(ONE_TRUTH);
  }

  private void edit(String hash) {
    then(t -> new Entry.ChangeBegan(t, "ann-1", "room", 1, hash));
  }

  private void editAcked(String hash, long rev) {
    then(t -> new Entry.ChangeAcked(t, "ann-1", "room", 1, rev, hash));
  }

  private void edited(String view, long rev, String hash) {
    then(t -> new Entry.Received(t, view, "room", 1, rev, "message.edited", 1, "ann", "a", hash));
  }

  @Test
  void anEditedMessageEndsWithItsLastBody() {
    twoAreSent();
    bobSeesBoth();
    edit("#a2");
    editAcked("#a2", 4);
    edited("bob-1", 4, "#a2");
    keep(1, 2, "a", "#a2");
    keep(2, 3, "b");
    lastRev = 4;
    assertThat(broken()).isEmpty();
  }

  @Test
  void anAcknowledgedEditThatIsNotStored() {
    twoAreSent();
    edit("#a2");
    editAcked("#a2", 4);
    twoAreKept();
    lastRev = 4;
    assertThat(broken()).containsExactly(NOTHING_LOST);
  }

  @Test
  void anEditOfUnknownOutcomeMayBeStoredOrNot() {
    twoAreSent();
    edit("#a2");
    editAcked("#a2", 4);
    edit("");
    keep(1, 2, "a", "");
    keep(2, 3, "b");
    lastRev = 5;
    assertThat(broken()).isEmpty();
    stored.set(0, new Stored("room", 1, 1, 2, "ann", "a", "#a2"));
    lastRev = 4;
    assertThat(broken()).isEmpty();
    stored.set(0, new Stored("room", 1, 1, 2, "ann", "a", "#a"));
    assertThat(broken()).containsExactly(NOTHING_LOST);
  }

  @Test
  void aViewThatMissesAnEditsBody() {
    twoAreSent();
    bobSeesBoth();
    edit("#a2");
    editAcked("#a2", 4);
    edited("bob-1", 4, "#a");
    keep(1, 2, "a", "#a2");
    keep(2, 3, "b");
    lastRev = 4;
    assertThat(broken()).containsExactly(ONE_TRUTH);
  }

  @Test
  void aFaultThatNobodySaw() {
    then(t -> new Entry.FaultBegan(t, "kill", "node1"));
    then(t -> new Entry.FaultEnded(t, "kill", "node1"));
    assertThat(Invariants.check(history, List.of()))
        .extracting(Violation::name)
        .containsExactly(FAULTS_SEEN);
  }

  @Test
  void aFaultThatSomebodySaw() {
    then(t -> new Entry.FaultBegan(t, "kill", "node1"));
    then(t -> new Entry.FaultSeen(t, "kill", "node1", "3 disconnected"));
    then(t -> new Entry.FaultEnded(t, "kill", "node1"));
    assertThat(Invariants.check(history, List.of())).isEmpty();
  }

  @Test
  void theSameFaultTwiceMustBeSeenTwice() {
    aFaultThatSomebodySaw();
    then(t -> new Entry.FaultBegan(t, "kill", "node1"));
    assertThat(Invariants.check(history, List.of()))
        .extracting(Violation::name)
        .containsExactly(FAULTS_SEEN);
  }

  @Test
  void whatIsBrokenAThousandTimesIsToldInFewWords() {
    view("bob-1", 0);
    for (int i = 0; i < 1_000; i++) {
      joined("bob-1");
    }
    lastRev = 1;
    assertThat(Invariants.check(history, List.of()))
        .hasSizeLessThan(100)
        .last()
        .hasToString("VIEW_IN_ORDER: and 979 more");
  }
}
