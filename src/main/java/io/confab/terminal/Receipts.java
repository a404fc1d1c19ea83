package io.confab.terminal;

import io.confab.client.RoomSignal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/// How far others have received and read one's own messages, in each room that is followed. For any
/// thread.
final class Receipts {
  private static final int MOST_ARRIVED = 1_000;

  private final Map<RoomId, Place> places = new ConcurrentHashMap<>();

  /// Of sealed rooms, where nothing is said of those before one that was received.
  private final Map<RoomId, NavigableSet<Seq>> arrived = new ConcurrentHashMap<>();

  private final Map<RoomId, String> told = new ConcurrentHashMap<>();

  /// What became of a message of one's own.
  enum State {
    SENT("✓"),
    DELIVERED("✓✓"),
    READ("✓✓");

    private final String ticks;

    State(String ticks) {
      this.ticks = ticks;
    }

    String ticks() {
      return ticks;
    }
  }

  /// The highest that was received, and that was read.
  private record Place(Seq received, Seq read) {
    Place and(Place other) {
      return new Place(Seq.later(received, other.received), Seq.later(read, other.read));
    }
  }

  /// Whether that is new.
  boolean delivered(RoomSignal.Delivered delivered) {
    return raise(delivered.roomId(), new Place(delivered.seq(), Seq.ZERO));
  }

  /// Whether that is new.
  boolean read(RoomSignal.Read read) {
    return raise(read.roomId(), new Place(read.seq(), read.seq()));
  }

  /// Others have this one of a sealed room.
  void arrived(RoomId room, Seq seq) {
    NavigableSet<Seq> all = arrived.computeIfAbsent(room, _ -> new ConcurrentSkipListSet<>());
    all.add(seq);
    if (all.size() > MOST_ARRIVED) {
      all.pollFirst();
    }
  }

  private NavigableSet<Seq> arrived(RoomId room) {
    return arrived.getOrDefault(room, new TreeSet<>());
  }

  private boolean raise(RoomId room, Place place) {
    Place before = places.get(room);
    return !places.merge(room, place, Place::and).equals(before);
  }

  void end(RoomId room) {
    places.remove(room);
    arrived.remove(room);
    told.remove(room);
  }

  State of(RoomId room, Seq seq) {
    Place place = places.getOrDefault(room, new Place(Seq.ZERO, Seq.ZERO));
    if (seq.compareTo(place.read()) <= 0) {
      return State.READ;
    }
    boolean delivered = seq.compareTo(place.received()) <= 0 || arrived(room).contains(seq);
    return delivered ? State.DELIVERED : State.SENT;
  }

  /// The text, unless it is what was told last: two signals may come before the first is told.
  Optional<String> news(RoomId room) {
    return text(room).filter(text -> !text.equals(told.put(room, text)));
  }

  /// The newest message of a room that somebody has, and whether it was read.
  Optional<String> text(RoomId room) {
    Place place = places.getOrDefault(room, new Place(Seq.ZERO, Seq.ZERO));
    NavigableSet<Seq> all = arrived(room);
    Seq newest = all.isEmpty() ? place.received() : Seq.later(place.received(), all.last());
    return newest.equals(Seq.ZERO)
        ? Optional.empty()
        : Optional.of(
            "#%s ✓✓ %s".formatted(newest, newest.equals(place.read()) ? "read" : "delivered"));
  }
}
