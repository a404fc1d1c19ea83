package io.confab.ledger;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What was received and read at the end, as the tables have it and as devices know it.
///
/// @param silent members whose markers tell others nothing: of rooms without receipts, and of
///     accounts that read in private, hide or have blocked somebody
/// @param differing markers whose unread counts are not those of their messages
/// @param known by every device of every room that it has
public record FinalMarks(
    Map<Place, Marker> markers,
    Map<Place, Receipt> receipts,
    Set<Place> silent,
    long differing,
    List<Known> known) {
  /// Nobody looked.
  public static final FinalMarks NONE = new FinalMarks(Map.of(), Map.of(), Set.of(), 0, List.of());

  /// An account in a room.
  public record Place(String account, String room) {}

  /// How far the account has read; what it has read it has received.
  ///
  /// @param unreadFrom 0 where it wants to see nothing as unread again
  public record Marker(long read, long received, long unreadFrom) {
    public Marker {
      received = Math.max(read, received);
    }
  }

  /// Up to which of the account's messages others have read and received them; 0 for none.
  public record Receipt(long read, long received) {
    public static final Receipt NONE = new Receipt(0, 0);

    public Receipt {
      received = Math.max(read, received);
    }
  }

  /// What a device knows.
  ///
  /// @param marker null where it was told none and moved none
  public record Known(String device, Place place, Receipt receipt, @Nullable Marker marker) {}

  /// What others have received and read, as the tables have it.
  Receipt receipt(Place place) {
    return receipts.getOrDefault(place, Receipt.NONE);
  }

  /// Whether every device knows what the tables have.
  public boolean isKnown() {
    return known.stream().allMatch(each -> knowsReceipt(each) && knowsMarker(each));
  }

  boolean knowsReceipt(Known each) {
    return each.receipt().equals(receipt(each.place()));
  }

  boolean knowsMarker(Known each) {
    return each.marker() == null || each.marker().equals(markers.get(each.place()));
  }
}
