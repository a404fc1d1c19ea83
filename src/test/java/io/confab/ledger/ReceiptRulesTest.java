package io.confab.ledger;

import static io.confab.ledger.Invariant.MARKS_FORWARD;
import static io.confab.ledger.Invariant.RECEIPTS_CONFIRMED;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.FinalMarks.Marker;
import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalMarks.Receipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Of a room with messages 1 and 3 of ann and 2 of bob, who has received 3 and read 2.
@Timeout(30)
class ReceiptRulesTest {
  private static final String ROOM = "room";
  private static final Place ANN = new Place("ann", ROOM);
  private static final Place BOB = new Place("bob", ROOM);
  private static final FinalRead STORED =
      new FinalRead(
          "sql",
          ROOM,
          1,
          5,
          List.of(
              new Stored(ROOM, 1, 1, 3, "ann", "a1", "#a1"),
              new Stored(ROOM, 1, 2, 4, "bob", "b1", "#b1"),
              new Stored(ROOM, 1, 3, 5, "ann", "a2", "#a2")));

  private final List<Entry> history = new ArrayList<>();
  private final List<Membership> members =
      new ArrayList<>(
          List.of(new Membership("ann", ROOM, 1, 0), new Membership("bob", ROOM, 2, 0)));
  private final Map<Place, Marker> markers =
      new HashMap<>(Map.of(ANN, new Marker(0, 0, 0), BOB, new Marker(2, 3, 0)));
  private final Map<Place, Receipt> receipts = new HashMap<>(Map.of(ANN, new Receipt(1, 3)));
  private final Set<Place> silent = new HashSet<>();
  private long t;

  ReceiptRulesTest() {
    history.add(new Entry.ViewBegan(t++, "v", "bob-1", "bob", ROOM, 1, 2));
    history.add(new Entry.ViewBegan(t++, "w", "ann-1", "ann", ROOM, 1, 2));
    says("bob-1", "read", 2);
    says("bob-1", "delivered", 3);
  }

  private void says(String client, String kind, long seq) {
    history.add(new Entry.MarkerAsked(t++, client, ROOM, kind, seq));
    history.add(new Entry.MarkerMoved(t++, client, ROOM, kind, seq));
  }

  private List<Invariant> broken() {
    Findings findings = new Findings();
    FinalMarks marks = new FinalMarks(markers, receipts, silent, 0, List.of());
    new ReceiptRules(history, Map.of(ROOM, STORED), members, marks).check(findings);
    return findings.all().stream().map(Violation::name).toList();
  }

  @Test
  void receiptsThatFollowBreakNothing() {
    assertThat(broken()).isEmpty();
  }

  @Test
  void receiptsThatWereNotRaised() {
    receipts.put(ANN, new Receipt(0, 3));
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
    receipts.put(ANN, new Receipt(1, 1));
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
    receipts.clear();
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
  }

  @Test
  void aReceiptAheadOfEveryConfirmation() {
    receipts.put(ANN, new Receipt(3, 3));
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
    receipts.put(ANN, new Receipt(1, 3));
    receipts.put(BOB, new Receipt(0, 2));
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
  }

  @Test
  void whatSomebodySaysOfTheOwnMessagesIsNoConfirmation() {
    says("ann-1", "read", 3);
    markers.put(ANN, new Marker(3, 3, 0));
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
    receipts.put(BOB, new Receipt(2, 2));
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatWasTriedMayCountAndNeedNot() {
    history.add(new Entry.MarkerAsked(t++, "bob-1", ROOM, "read", 3));
    assertThat(broken()).isEmpty();
    receipts.put(ANN, new Receipt(3, 3));
    assertThat(broken()).isEmpty();
  }

  @Test
  void whoReadsInPrivateConfirmsNothing() {
    silent.add(BOB);
    receipts.clear();
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatSomebodyWhoHasLeftHadConfirmedStays() {
    members.set(1, new Membership("bob", ROOM, 2, 6));
    markers.remove(BOB);
    assertThat(broken()).isEmpty();
    receipts.clear();
    assertThat(broken()).containsExactly(RECEIPTS_CONFIRMED);
  }

  @Test
  void aMembershipBeginsBehindWhatWasThere() {
    members.add(new Membership("bob", ROOM, 6, 0));
    receipts.clear();
    assertThat(broken()).isEmpty();
    members.set(2, new Membership("ann", ROOM, 6, 0));
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatIsToldGoesBackOnlyWithAnotherMembership() {
    history.add(new Entry.ReceiptTold(t++, "ann-1", ROOM, "read", 1));
    history.add(new Entry.ReceiptTold(t++, "ann-1", ROOM, "delivered", 3));
    history.add(new Entry.MarkerTold(t++, "bob-1", ROOM, 2, 3, 0));
    assertThat(broken()).isEmpty();
    history.add(new Entry.MarkerTold(t++, "bob-1", ROOM, 1, 3, 0));
    history.add(new Entry.ReceiptTold(t++, "ann-1", ROOM, "delivered", 1));
    assertThat(broken()).containsExactly(MARKS_FORWARD, MARKS_FORWARD);
    history.subList(history.size() - 2, history.size()).clear();
    history.add(new Entry.MarksEnded(t++, "ann-1", ROOM));
    history.add(new Entry.ReceiptTold(t++, "ann-1", ROOM, "delivered", 1));
    assertThat(broken()).isEmpty();
  }
}
