package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/// Tells the server how far this account has received and read in the rooms that are followed. Of
/// each room it tells the highest alone, at most once a second, and again until that is answered.
final class OwnMarkers {
  private static final long PAUSE_MS = 1_000;
  private static final int MOST_UNDER_WAY = 16;

  private final boolean confirms;
  private final Consumer<Action> out;
  private final Map<RoomId, Place> places = new HashMap<>();

  /// Those with something to tell that is not under way.
  private final Set<Place> waiting = new LinkedHashSet<>();

  private final Map<String, Place> underWay = new HashMap<>();
  private boolean online;
  private int told;

  /// @param confirms whether what is received is told without being asked
  OwnMarkers(boolean confirms, Consumer<Action> out) {
    this.confirms = confirms;
    this.out = out;
  }

  /// How far the account has come in a room, and how far the server knows.
  private static final class Place {
    private final RoomId room;
    private boolean receipts;
    private Seq received = Seq.ZERO;
    private Seq read = Seq.ZERO;
    private Seq knownReceived = Seq.ZERO;
    private Seq knownRead = Seq.ZERO;
    private Seq telling = Seq.ZERO;
    private boolean tellsRead;
    private long notBefore = Long.MIN_VALUE;

    private Place(RoomId room) {
      this.room = room;
    }

    private boolean hasRead() {
      return read.compareTo(knownRead) > 0;
    }

    private boolean hasNews() {
      return hasRead() || (receipts && received.compareTo(knownReceived) > 0);
    }

    private void tell() {
      tellsRead = hasRead();
      telling = tellsRead ? read : received;
    }

    private void known(Seq newRead, Seq newReceived) {
      knownRead = Seq.later(knownRead, newRead);
      knownReceived = Seq.later(Seq.later(knownReceived, newReceived), newRead);
    }

    private void unread(Seq after) {
      knownRead = after.compareTo(knownRead) < 0 ? after : knownRead;
      read = after.compareTo(read) < 0 ? after : read;
    }

    private void answered() {
      known(tellsRead ? telling : Seq.ZERO, telling);
    }
  }

  /// A room is followed; nothing else is told of rooms that are not.
  void follow(RoomId room) {
    places.computeIfAbsent(room, Place::new);
  }

  boolean follows(RoomId room) {
    return places.containsKey(room);
  }

  /// Whether it has receipts.
  void receipts(RoomId room, boolean has) {
    Place place = places.get(room);
    if (place != null) {
      place.receipts = has;
    }
  }

  void end(RoomId room) {
    Place place = places.remove(room);
    if (place != null) {
      waiting.remove(place);
      underWay.values().remove(place);
    }
  }

  /// A message of somebody else was received.
  void received(RoomId room, Seq seq, long now) {
    Place place = places.get(room);
    if (confirms && place != null) {
      place.received = Seq.later(place.received, seq);
      wake(place, now);
    }
  }

  /// The person has read up to here.
  void read(RoomId room, Seq seq, long now) {
    Place place = places.get(room);
    if (place != null) {
      place.read = Seq.later(place.read, seq);
      wake(place, now);
    }
  }

  /// What was read is not told if it was not yet: the person wants to see it as unread. What is
  /// read from now on is told.
  void forgetRead(RoomId room) {
    Place place = places.get(room);
    if (place != null) {
      underWay.values().remove(place);
      place.unread(Seq.ZERO);
    }
  }

  /// What the server knows of this account, from another of its devices.
  void known(RoomSignal.Marker marker) {
    Place place = places.get(marker.roomId());
    if (place != null) {
      place.known(
          Objects.requireNonNullElse(marker.readSeq(), Seq.ZERO),
          Objects.requireNonNullElse(marker.deliveredSeq(), Seq.ZERO));
      Seq unreadFrom = marker.unreadFrom();
      if (unreadFrom != null) {
        place.unread(new Seq(unreadFrom.value() - 1));
      }
    }
  }

  private void wake(Place place, long now) {
    if (place.hasNews() && !underWay.containsValue(place)) {
      waiting.add(place);
      pump(now);
    }
  }

  /// Rooms are followed on a new connection.
  void online(long now) {
    online = true;
    places.values().stream().filter(Place::hasNews).forEach(waiting::add);
    pump(now);
  }

  void lost() {
    online = false;
    waiting.clear();
    underWay.clear();
  }

  private void pump(long now) {
    if (!online) {
      return;
    }
    for (Place place : List.copyOf(waiting)) {
      if (underWay.size() < MOST_UNDER_WAY && place.notBefore <= now) {
        waiting.remove(place);
        if (place.hasNews()) {
          tell(place, now);
        }
      }
    }
  }

  private void tell(Place place, long now) {
    place.tell();
    place.notBefore = now + PAUSE_MS;
    String id = "marker-" + ++told;
    underWay.put(id, place);
    out.accept(
        new Action.Transmit(
            ClientJson.object()
                .put("type", place.tellsRead ? "read" : "delivered")
                .put("id", id)
                .put("room_id", place.room.toString())
                .put("seq", place.telling.value())));
  }

  /// Whether it was a marker that was answered.
  boolean answered(String re, long now) {
    Place place = underWay.remove(re);
    if (place != null) {
      place.answered();
      again(place, now);
    }
    return place != null;
  }

  /// What may be told later is; what is refused for good counts as told.
  boolean refused(String re, JsonNode error, long now) {
    Place place = underWay.remove(re);
    if (place == null) {
      return false;
    }
    if (error.path("retryable").asBoolean()) {
      place.notBefore = now + Math.max(PAUSE_MS, error.path("retry_after_ms").asLong());
    } else {
      place.answered();
    }
    again(place, now);
    return true;
  }

  private void again(Place place, long now) {
    if (place.hasNews()) {
      waiting.add(place);
    }
    pump(now);
  }

  OptionalLong deadline() {
    return online && underWay.size() < MOST_UNDER_WAY
        ? waiting.stream().mapToLong(place -> place.notBefore).min()
        : OptionalLong.empty();
  }

  void tick(long now) {
    pump(now);
  }
}
