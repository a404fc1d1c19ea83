package io.confab.ledger;

import io.confab.ledger.FinalMarks.Marker;
import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalMarks.Receipt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Whether receipts follow from what members have confirmed, and what devices were told of both
/// only went forward.
///
/// What counts for certain is a message of the sender's present membership that was sent during the
/// last membership of another member, who has confirmed it or a later one: that was not done
/// earlier, and a later membership would begin behind it. What may count is whatever another member
/// tried to confirm, answered or not.
final class ReceiptRules {
  private static final String READ = "read";
  private static final String DELIVERED = "delivered";

  private final List<Entry> history;
  private final Map<String, FinalRead> rooms;
  private final List<Membership> members;
  private final FinalMarks marks;

  /// Up to where a room was confirmed, by accounts.
  private final Map<Place, Receipt> stored = new HashMap<>();

  private final Map<Place, Receipt> tried = new HashMap<>();

  ReceiptRules(
      List<Entry> history,
      Map<String, FinalRead> rooms,
      List<Membership> members,
      FinalMarks marks) {
    this.history = history;
    this.rooms = rooms;
    this.members = members;
    this.marks = marks;
  }

  void check(Findings findings) {
    confirmations();
    Map<Place, Membership> last = new HashMap<>();
    for (Membership each : members) {
      last.merge(
          new Place(each.account(), each.room()), each, (a, b) -> a.from() > b.from() ? a : b);
    }
    last.forEach(
        (place, present) -> {
          FinalRead room = rooms.get(place.room());
          if (present.to() == 0 && room != null) {
            List<Stored> own =
                room.messages().stream()
                    .filter(message -> message.sender().equals(place.account()))
                    .toList();
            confirmed(place, own, last, findings);
          }
        });
    forward(findings);
  }

  private void confirmations() {
    Map<String, String> accounts = new HashMap<>();
    marks.known().forEach(known -> accounts.put(known.device(), known.place().account()));
    boolean lost = history.stream().anyMatch(Entry.CommitLost.class::isInstance);
    for (Entry entry : history) {
      switch (entry) {
        case Entry.ViewBegan began -> accounts.put(began.client(), began.account());
        case Entry.MarkerAsked(_, String client, String room, String kind, long seq) ->
            note(tried, new Place(accounts.getOrDefault(client, client), room), kind, seq);
        case Entry.MarkerMoved(_, String client, String room, String kind, long seq) when !lost ->
            note(stored, new Place(accounts.getOrDefault(client, client), room), kind, seq);
        default -> {}
      }
    }
    marks.markers().forEach((place, marker) -> note(stored, place, marker));
  }

  private static void note(Map<Place, Receipt> marks, Place place, Marker marker) {
    note(marks, place, READ, marker.read());
    note(marks, place, DELIVERED, marker.received());
  }

  private static void note(Map<Place, Receipt> marks, Place place, String kind, long seq) {
    if (kind.equals(READ) || kind.equals(DELIVERED)) {
      marks.merge(place, new Receipt(kind.equals(READ) ? seq : 0, seq), ReceiptRules::higher);
    }
  }

  private static Receipt higher(Receipt one, Receipt other) {
    return new Receipt(
        Math.max(one.read(), other.read()), Math.max(one.received(), other.received()));
  }

  private void confirmed(
      Place sender, List<Stored> own, Map<Place, Membership> last, Findings findings) {
    Receipt least = Receipt.NONE;
    for (Map.Entry<Place, Membership> other : last.entrySet()) {
      if (isOther(other.getKey(), sender) && !marks.silent().contains(other.getKey())) {
        long after = Math.max(began(last, sender), other.getValue().from());
        Receipt confirmed = stored.getOrDefault(other.getKey(), Receipt.NONE);
        least = higher(least, highest(own, after, confirmed));
      }
    }
    Receipt most = Receipt.NONE;
    for (Map.Entry<Place, Receipt> other : tried.entrySet()) {
      if (isOther(other.getKey(), sender)) {
        most = higher(most, highest(own, 0, other.getValue()));
      }
    }
    Receipt receipt = marks.receipt(sender);
    if (receipt.read() < least.read()
        || receipt.received() < least.received()
        || receipt.read() > most.read()
        || receipt.received() > most.received()) {
      findings.add(
          Invariant.RECEIPTS_CONFIRMED,
          "%s has %s, confirmed are %s at least, %s at most"
              .formatted(sender, receipt, least, most));
    }
  }

  private static long began(Map<Place, Membership> last, Place place) {
    return Objects.requireNonNull(last.get(place)).from();
  }

  private static boolean isOther(Place other, Place sender) {
    return other.room().equals(sender.room()) && !other.account().equals(sender.account());
  }

  /// The highest of these messages that are confirmed.
  ///
  /// @param after only messages behind this rev
  private static Receipt highest(List<Stored> own, long after, Receipt confirmed) {
    return new Receipt(
        highest(own, after, confirmed.read()), highest(own, after, confirmed.received()));
  }

  private static long highest(List<Stored> own, long after, long confirmed) {
    return own.stream()
        .filter(m -> m.rev() > after && m.seq() <= confirmed)
        .mapToLong(Stored::seq)
        .max()
        .orElse(0);
  }

  /// An epoch that is lost takes marks with it.
  private void forward(Findings findings) {
    Map<String, Long> told = new HashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.MarksEnded(_, String client, String room) ->
            told.keySet().removeAll(keys(client, room));
        case Entry.CommitLost _ -> told.clear();
        case Entry.ReceiptTold(_, String client, String room, String status, long seq) ->
            rises(told, key(client, room, "receipt " + status), seq, findings);
        case Entry.MarkerTold marker -> {
          rises(told, key(marker.client(), marker.room(), READ), marker.read(), findings);
          rises(told, key(marker.client(), marker.room(), DELIVERED), marker.delivered(), findings);
        }
        default -> {}
      }
    }
  }

  private static void rises(Map<String, Long> told, String key, long seq, Findings findings) {
    long before = told.getOrDefault(key, 0L);
    if (seq < before) {
      findings.add(Invariant.MARKS_FORWARD, "%s: %d after %d".formatted(key, seq, before));
    }
    told.put(key, Math.max(seq, before));
  }

  private static Set<String> keys(String client, String room) {
    return Set.of(
        key(client, room, READ),
        key(client, room, DELIVERED),
        key(client, room, "receipt " + READ),
        key(client, room, "receipt " + DELIVERED));
  }

  private static String key(String client, String room, String what) {
    return client + " in " + room + ", " + what;
  }
}
