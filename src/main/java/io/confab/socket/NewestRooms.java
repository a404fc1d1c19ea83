package io.confab.socket;

import io.confab.protocol.RoomId;
import java.util.LinkedHashMap;
import java.util.Map;

/// What is known of the few rooms of which something was noted last: what overtakes another does so
/// by milliseconds. While an answer is awaited, which may be older than what is noted meanwhile,
/// nothing is dropped.
final class NewestRooms<T> {
  private static final int MOST = 16;

  private Map<RoomId, T> rooms = Map.of();
  private int awaited;

  T get(RoomId room, T otherwise) {
    return rooms.getOrDefault(room, otherwise);
  }

  void put(RoomId room, T value) {
    if (rooms.isEmpty()) {
      rooms = new LinkedHashMap<>(MOST, 0.75f, true);
    }
    rooms.put(room, value);
    trim();
  }

  void remove(RoomId room) {
    if (!rooms.isEmpty()) {
      rooms.remove(room);
    }
  }

  /// An answer is awaited, until [#answered].
  void await() {
    awaited++;
  }

  void answered() {
    awaited--;
    trim();
  }

  private void trim() {
    if (awaited > 0 || rooms.size() <= MOST) {
      return;
    }
    var eldest = rooms.keySet().iterator();
    while (rooms.size() > MOST) {
      eldest.next();
      eldest.remove();
    }
  }
}
