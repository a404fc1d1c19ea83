package io.confab.ledger;

import io.confab.ledger.FinalMarks.Known;
import io.confab.ledger.FinalMarks.Place;
import java.util.Map;

/// What senders know of their messages at the end, what accounts know of their markers, and whether
/// that is true.
final class MarkerRules {
  private MarkerRules() {}

  static void check(FinalMarks marks, Map<String, FinalRead> rooms, Findings findings) {
    marks.known().forEach(known -> known(known, marks, findings));
    marks
        .receipts()
        .forEach(
            (place, receipt) -> {
              own(place, receipt.read(), rooms, findings);
              if (receipt.received() != receipt.read()) {
                own(place, receipt.received(), rooms, findings);
              }
            });
    if (marks.differing() > 0) {
      findings.add(
          Invariant.UNREAD_COUNTED,
          marks.differing() + " markers count something else than their messages");
    }
  }

  private static void known(Known known, FinalMarks marks, Findings findings) {
    if (!marks.knowsReceipt(known)) {
      findings.add(Invariant.RECEIPTS_KNOWN, known + ", stored " + marks.receipt(known.place()));
    }
    if (!marks.knowsMarker(known)) {
      findings.add(
          Invariant.MARKERS_KNOWN, known + ", stored " + marks.markers().get(known.place()));
    }
  }

  /// A receipt is of a message that the account has sent.
  private static void own(Place place, long seq, Map<String, FinalRead> rooms, Findings findings) {
    FinalRead room = rooms.get(place.room());
    if (seq != 0
        && (room == null
            || room.messages().stream()
                .noneMatch(m -> m.seq() == seq && m.sender().equals(place.account())))) {
      findings.add(
          Invariant.RECEIPTS_OF_OWN, "%s has a receipt for %d, not its own".formatted(place, seq));
    }
  }
}
