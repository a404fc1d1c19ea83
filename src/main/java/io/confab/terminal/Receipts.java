package io.confab.terminal;

import io.confab.client.RoomSignal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// How far others have received and read one's own messages, in each room that is followed. For any
/// thread.
final class Receipts {
  private static final int MOST_SEALED = 1_000;

  private final Map<RoomId, Place> places = new ConcurrentHashMap<>();

  /// Of lines of sealed rooms, where one says nothing of those before it.
  private final Map<RoomId, ConcurrentNavigableMap<Seq, State>> sealed = new ConcurrentHashMap<>();

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

  /// What became of this one of a sealed room.
  void sealed(RoomId room, Seq seq, State state) {
    NavigableMap<Seq, State> all = sealed.computeIfAbsent(room, _ -> new ConcurrentSkipListMap<>());
    all.merge(seq, state, (one, other) -> one.compareTo(other) > 0 ? one : other);
    if (all.size() > MOST_SEALED) {
      all.pollFirstEntry();
    }
  }

  /// What became of a line of a sealed room, as far as is known.
  State ofSealed(RoomId room, Seq seq) {
    return sealed(room).getOrDefault(seq, State.SENT);
  }

  private NavigableMap<Seq, State> sealed(RoomId room) {
    ConcurrentNavigableMap<Seq, State> all = sealed.get(room);
    return all == null ? new TreeMap<>() : all;
  }

  private boolean raise(RoomId room, Place place) {
    Place before = places.get(room);
    return !places.merge(room, place, Place::and).equals(before);
  }

  void end(RoomId room) {
    places.remove(room);
    sealed.remove(room);
    told.remove(room);
  }

  State of(RoomId room, Seq seq) {
    Place place = places.getOrDefault(room, new Place(Seq.ZERO, Seq.ZERO));
    if (seq.compareTo(place.read()) <= 0) {
      return State.READ;
    }
    return seq.compareTo(place.received()) <= 0 ? State.DELIVERED : State.SENT;
  }

  /// The text, unless it is what was told last: two signals may come before the first is told.
  Optional<String> news(RoomId room) {
    return text(room).filter(text -> !text.equals(told.put(room, text)));
  }

  /// The newest message of a room that somebody has, and whether it was read. What the server says
  /// of the highest of a sealed room covers lines that did not arrive, and so tells nothing there.
  Optional<String> text(RoomId room) {
    NavigableMap<Seq, State> lines = sealed(room);
    Optional<Map.Entry<Seq, State>> newest =
        lines.descendingMap().entrySet().stream()
            .filter(line -> line.getValue() != State.SENT)
            .findFirst();
    if (newest.isPresent()) {
      return Optional.of(text(newest.get().getKey(), newest.get().getValue() == State.READ));
    }
    Place place = places.getOrDefault(room, new Place(Seq.ZERO, Seq.ZERO));
    boolean before = lines.isEmpty() || place.received().compareTo(lines.firstKey()) < 0;
    return place.received().equals(Seq.ZERO) || !before
        ? Optional.empty()
        : Optional.of(text(place.received(), place.received().equals(place.read())));
  }

  private static String text(Seq seq, boolean read) {
    return "#%s ✓✓ %s".formatted(seq, read ? "read" : "delivered");
  }
}
