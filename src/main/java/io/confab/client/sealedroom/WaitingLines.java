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
  private final Set<SealedSend> going = new HashSet<>();

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
    if (!waiting.containsKey(room) || !busy.add(room)) {
      return Optional.empty();
    }
    Optional<SealedSend> next = Optional.ofNullable(waiting.get(room)).map(Deque::peek);
    next.ifPresent(going::add);
    return next;
  }

  /// It is not on its way any more.
  void over(SealedSend send) {
    remove(send);
    going.remove(send);
    busy.remove(send.room());
  }

  private void remove(SealedSend send) {
    Deque<SealedSend> line = waiting.get(send.room());
    if (line != null) {
      line.remove(send);
      if (line.isEmpty()) {
        waiting.remove(send.room());
      }
    }
  }

  List<RoomId> rooms() {
    return List.copyOf(waiting.keySet());
  }

  /// Those that are not on their way; they wait no more.
  List<SealedSend> idle() {
    List<SealedSend> idle =
        waiting.values().stream()
            .flatMap(Deque::stream)
            .filter(send -> !going.contains(send))
            .toList();
    idle.forEach(this::remove);
    return idle;
  }

  /// All of them; none waits any more.
  List<SealedSend> clear() {
    List<SealedSend> all = waiting.values().stream().flatMap(Deque::stream).toList();
    waiting.clear();
    return all;
  }
}
