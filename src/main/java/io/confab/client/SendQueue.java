package io.confab.client;

import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Sends that are not settled: those under way, and the next one of each room. No operation looks
/// at the others, however many wait.
final class SendQueue {
  private final Map<ClientId, Entry> entries = new LinkedHashMap<>();

  /// In the order in which they were sent, and so in the order in which answers are due.
  private final Set<Entry> underWay = new LinkedHashSet<>();

  /// What waits in each room, in the order in which it was made.
  private final Map<RoomId, NavigableSet<Entry>> rooms = new HashMap<>();

  /// The first of each room, the one that is due first in front.
  private final NavigableSet<Entry> next =
      new TreeSet<>(Comparator.<Entry>comparingLong(e -> e.due).thenComparingLong(e -> e.number));

  private long made;

  /// A send; only the queue changes when it is due.
  static final class Entry {
    final Outgoing message;
    int refusals;
    private final long number;

    /// When it may be sent again, or, while it is under way, when its answer is overdue.
    private long due;

    private Entry(Outgoing message, long number, long due) {
      this.message = message;
      this.number = number;
      this.due = due;
    }
  }

  int size() {
    return entries.size();
  }

  int underWay() {
    return underWay.size();
  }

  Collection<Entry> all() {
    return entries.values();
  }

  void add(Outgoing message, long now) {
    Entry entry = new Entry(message, made++, now);
    entries.put(message.clientId(), entry);
    await(entry);
  }

  /// Its room waits for it. Those after it in the room are not due before it.
  private void await(Entry entry) {
    NavigableSet<Entry> room =
        rooms.computeIfAbsent(
            entry.message.roomId(),
            _ -> new TreeSet<>(Comparator.<Entry>comparingLong(e -> e.number)));
    if (!room.isEmpty()) {
      next.remove(room.first());
    }
    room.add(entry);
    next.add(room.first());
  }

  private void leave(Entry entry) {
    NavigableSet<Entry> room = rooms.get(entry.message.roomId());
    if (room == null || !room.contains(entry)) {
      return;
    }
    next.remove(room.first());
    room.remove(entry);
    if (room.isEmpty()) {
      rooms.remove(entry.message.roomId());
    } else {
      next.add(room.first());
    }
  }

  /// Takes the next send that is due; it is under way from now on.
  @Nullable Entry take(long now, long answerDue) {
    if (next.isEmpty() || next.first().due > now) {
      return null;
    }
    Entry entry = next.first();
    leave(entry);
    entry.due = answerDue;
    underWay.add(entry);
    return entry;
  }

  /// A send that waits for its answer.
  @Nullable Entry underWay(ClientId clientId) {
    Entry entry = entries.get(clientId);
    return entry != null && underWay.contains(entry) ? entry : null;
  }

  /// It was not taken, and may be sent again later.
  void again(Entry entry, long due) {
    underWay.remove(entry);
    entry.due = due;
    await(entry);
  }

  /// Whether it was there.
  boolean settle(ClientId clientId) {
    Entry entry = entries.remove(clientId);
    if (entry != null && !underWay.remove(entry)) {
      leave(entry);
    }
    return entry != null;
  }

  /// None is under way any more, and all may be sent at once.
  void restart() {
    underWay.clear();
    rooms.clear();
    next.clear();
    for (Entry entry : entries.values()) {
      entry.due = 0;
      await(entry);
    }
  }

  void clear() {
    entries.clear();
    restart();
  }

  /// When the next answer is overdue.
  OptionalLong answerDue() {
    Iterator<Entry> first = underWay.iterator();
    return first.hasNext() ? OptionalLong.of(first.next().due) : OptionalLong.empty();
  }

  /// When the next send may go.
  OptionalLong sendDue() {
    return next.isEmpty() ? OptionalLong.empty() : OptionalLong.of(next.first().due);
  }
}
