package io.confab.ledger;

import static io.confab.ledger.Invariant.MARKERS_KNOWN;
import static io.confab.ledger.Invariant.RECEIPTS_KNOWN;
import static io.confab.ledger.Invariant.RECEIPTS_OF_OWN;
import static io.confab.ledger.Invariant.UNREAD_COUNTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.FinalMarks.Known;
import io.confab.ledger.FinalMarks.Marker;
import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalMarks.Receipt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Of a room with messages 1 and 3 of ann and 2 of bob: others have received 3 of ann and read 1,
/// and ann has read 2 and wants to see it as unread.
@Timeout(30)
class MarkerRulesTest {
  private static final Place ANN = new Place("ann", "room");
  private static final FinalRead ROOM =
      new FinalRead(
          "sql",
          "room",
          1,
          5,
          List.of(
              new Stored("room", 1, 1, 3, "ann", "a1", "#a1"),
              new Stored("room", 1, 2, 4, "bob", "b1", "#b1"),
              new Stored("room", 1, 3, 5, "ann", "a2", "#a2")));

  private final Map<Place, Marker> markers = new HashMap<>(Map.of(ANN, new Marker(2, 2, 2)));
  private final Map<Place, Receipt> receipts = new HashMap<>(Map.of(ANN, new Receipt(1, 3)));
  private long differing;

  private List<Invariant> broken(Known... known) {
    FinalMarks marks = new FinalMarks(markers, receipts, Set.of(), differing, List.of(known));
    List<Invariant> broken =
        Invariants.check(List.of(), List.of(ROOM), List.of(), marks).stream()
            .map(Violation::name)
            .filter(name -> name != Invariant.NOTHING_MADE_UP)
            .toList();
    assertThat(marks.isKnown())
        .isEqualTo(broken.stream().noneMatch(List.of(MARKERS_KNOWN, RECEIPTS_KNOWN)::contains));
    return broken;
  }

  private static Known annKnows(Receipt receipt, @Nullable Marker marker) {
    return new Known("ann-1", ANN, receipt, marker);
  }

  @Test
  void whoKnowsAllBreaksNothing() {
    assertThat(broken(annKnows(new Receipt(1, 3), new Marker(2, 2, 2)))).isEmpty();
  }

  @Test
  void whatIsReadIsReceived() {
    receipts.put(ANN, new Receipt(3, 1));
    markers.put(ANN, new Marker(2, 0, 2));
    assertThat(broken(annKnows(new Receipt(3, 0), new Marker(2, 2, 2)))).isEmpty();
  }

  @Test
  void aSenderWhoKnowsOfLessThanWasRead() {
    assertThat(broken(annKnows(new Receipt(0, 3), null))).containsExactly(RECEIPTS_KNOWN);
    assertThat(broken(annKnows(new Receipt(1, 1), null))).containsExactly(RECEIPTS_KNOWN);
    assertThat(broken(annKnows(Receipt.NONE, null))).containsExactly(RECEIPTS_KNOWN);
  }

  @Test
  void aSenderWhoWasToldOfMoreThanWasRead() {
    assertThat(broken(annKnows(new Receipt(3, 3), null))).containsExactly(RECEIPTS_KNOWN);
    receipts.clear();
    assertThat(broken(annKnows(new Receipt(0, 3), null))).containsExactly(RECEIPTS_KNOWN);
  }

  @Test
  void aMarkerThatItsAccountDoesNotKnow() {
    Receipt receipt = new Receipt(1, 3);
    assertThat(broken(annKnows(receipt, new Marker(1, 2, 2)))).containsExactly(MARKERS_KNOWN);
    assertThat(broken(annKnows(receipt, new Marker(2, 3, 2)))).containsExactly(MARKERS_KNOWN);
    assertThat(broken(annKnows(receipt, new Marker(2, 2, 0)))).containsExactly(MARKERS_KNOWN);
    markers.clear();
    assertThat(broken(annKnows(receipt, new Marker(2, 2, 2)))).containsExactly(MARKERS_KNOWN);
  }

  @Test
  void aReceiptForTheMessageOfSomebodyElse() {
    receipts.put(ANN, new Receipt(2, 3));
    assertThat(broken()).containsExactly(RECEIPTS_OF_OWN);
  }

  @Test
  void aReceiptForAMessageThatIsNotThere() {
    receipts.put(ANN, new Receipt(1, 4));
    assertThat(broken()).containsExactly(RECEIPTS_OF_OWN);
    receipts.put(ANN, new Receipt(1, 3));
    receipts.put(new Place("ann", "elsewhere"), new Receipt(1, 1));
    assertThat(broken()).containsExactly(RECEIPTS_OF_OWN);
  }

  @Test
  void countsThatAreNotThoseOfTheMessages() {
    differing = 1;
    assertThat(broken()).containsExactly(UNREAD_COUNTED);
  }
}
