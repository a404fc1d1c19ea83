package io.confab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who was told and did what, and when Redis lost its data or a node stood still: all that the
/// checks go by. Nothing of it comes from Redis or the database, and of nodes only whether they
/// answer. For any thread.
final class SeatLog {
  private final List<SeatEvent> events = new ArrayList<>();
  private final List<Loss> losses = new ArrayList<>();

  /// While admission pauses, because Redis lost all seats, or soon does; or while nobody can say
  /// what is late, because a node stands still.
  record Loss(long from, long to) {}

  synchronized void add(long at, SeatEvent.Kind kind, int account, int room, long ticket) {
    events.add(new SeatEvent(at, kind, account, room, ticket));
  }

  void add(long at, SeatEvent.Kind kind, int account, int room) {
    add(at, kind, account, room, 0);
  }

  /// All of it, a line each: nanoseconds, what, account, room, ticket.
  synchronized void write(Path file) {
    try {
      Files.write(
          file,
          events.stream()
              .map(
                  e ->
                      e.at()
                          + ","
                          + e.kind()
                          + ","
                          + e.account()
                          + ","
                          + e.room()
                          + ","
                          + e.ticket())
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Redis loses its data between the two.
  synchronized void lost(long from, long to) {
    losses.add(new Loss(from, to));
  }

  /// A node stood still between the two: what is late then is so for that.
  void stoodStill(long from, long to) {
    lost(from, to);
  }

  synchronized List<Loss> losses() {
    return List.copyOf(losses);
  }

  /// Of each room what is about it, with what became of the connections of whoever is in it, in
  /// order.
  synchronized Map<Integer, List<SeatEvent>> byRoom() {
    Map<Integer, TreeSet<Integer>> roomsOf = new TreeMap<>();
    for (SeatEvent event : events) {
      if (event.room() != SeatEvent.ALL) {
        roomsOf.computeIfAbsent(event.account(), _ -> new TreeSet<>()).add(event.room());
      }
    }
    Map<Integer, List<SeatEvent>> rooms = new TreeMap<>();
    for (SeatEvent event : events) {
      if (event.room() != SeatEvent.ALL) {
        rooms.computeIfAbsent(event.room(), _ -> new ArrayList<>()).add(event);
      } else {
        for (int room : roomsOf.getOrDefault(event.account(), new TreeSet<>())) {
          rooms.computeIfAbsent(room, _ -> new ArrayList<>()).add(event);
        }
      }
    }
    rooms.values().forEach(each -> each.sort((a, b) -> Long.compare(a.at(), b.at())));
    return rooms;
  }
}
