package io.confab.client.sealedroom;

import io.confab.protocol.RoomId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The lines that are to be sent, of each room in their order and one at a time.
final class WaitingLines {
  /// So many of a room wait; more are refused.
  static final int MOST = 100;

  private final Map<RoomId, Deque<SealedSend>> waiting = new HashMap<>();
  private final Set<RoomId> busy = new HashSet<>();

  /// False: too many wait already.
  boolean add(SealedSend send) {
    Deque<SealedSend> line = waiting.computeIfAbsent(send.room(), _ -> new ArrayDeque<>());
    return line.size() < MOST && line.add(send);
  }

  /// Something is on its way to a room that did not wait here.
  void occupy(RoomId room) {
    busy.add(room);
  }

  /// The next line of a room, which is on its way from here on; empty: none waits, or one is on its
  /// way.
  Optional<SealedSend> next(RoomId room) {
    return waiting.containsKey(room) && busy.add(room)
        ? Optional.ofNullable(waiting.get(room)).map(Deque::peek)
        : Optional.empty();
  }

  /// It is not on its way any more.
  void over(SealedSend send) {
    Deque<SealedSend> line = waiting.get(send.room());
    if (line != null) {
      line.remove(send);
      if (line.isEmpty()) {
        waiting.remove(send.room());
      }
    }
    busy.remove(send.room());
  }

  List<RoomId> rooms() {
    return List.copyOf(waiting.keySet());
  }

  /// All of them; none waits any more.
  List<SealedSend> clear() {
    List<SealedSend> all = waiting.values().stream().flatMap(Deque::stream).toList();
    waiting.clear();
    return all;
  }
}
