package io.confab.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// When who was certainly inside one room: from when it was told so until it began to leave, was
/// told that it lost the seat, or was cut off and did not come back in time as one who still has
/// it. At no time may there be more of them than seats.
final class SeatStays {
  private final SeatTruth truth;
  private final int room;
  private final Map<Integer, Stay> open = new HashMap<>();
  private final List<Span> spans = new ArrayList<>();
  private final List<SeatFault> faults = new ArrayList<>();
  private int most;

  /// @param to exclusive
  record Span(int account, long from, long to) {}

  private static final class Stay {
    private final long from;
    private long cut = Long.MAX_VALUE;
    private boolean asksAgain;
    private long back = Long.MAX_VALUE;

    Stay(long from) {
      this.from = from;
    }

    boolean isCut() {
      return cut != Long.MAX_VALUE;
    }
  }

  private SeatStays(SeatTruth truth, int room) {
    this.truth = truth;
    this.room = room;
  }

  /// @param events of the room, in order
  static SeatStays of(int room, List<SeatEvent> events, SeatTruth truth) {
    SeatStays stays = new SeatStays(truth, room);
    events.forEach(stays::add);
    List.copyOf(stays.open.keySet()).forEach(account -> stays.end(account, truth.end()));
    stays.count();
    return stays;
  }

  private void add(SeatEvent event) {
    Stay stay = open.get(event.account());
    switch (event.kind()) {
      case INSIDE -> inside(event, stay);
      case WAITS, LOST -> {
        if (stay != null && wasKept(stay, event.at())) {
          fault(SeatFault.Kind.DROPPED, event, "account " + event.account() + " had a seat");
        }
        end(event.account(), event.at());
      }
      case EXITING -> end(event.account(), event.at());
      case CUT -> {
        if (stay != null && !stay.isCut()) {
          stay.cut = event.at();
        }
      }
      case ENTERING -> {
        if (stay != null && stay.isCut()) {
          stay.asksAgain = true;
        }
      }
      case BACK -> {
        if (stay != null && stay.isCut() && stay.back == Long.MAX_VALUE) {
          stay.back = event.at();
        }
      }
      case EXITED -> {} // it began to leave before
    }
  }

  private void inside(SeatEvent event, @Nullable Stay stay) {
    if (stay != null) {
      if (!stay.isCut()) {
        return;
      }
      if (!stay.asksAgain && truth.mayHaveKept(stay.cut, event.at())) {
        open.put(event.account(), new Stay(stay.from));
        return;
      }
      end(event.account(), event.at());
    }
    open.put(event.account(), new Stay(event.at()));
  }

  /// Whether it must still have had the seat.
  private boolean wasKept(Stay stay, long at) {
    long since = stay.isCut() ? stay.cut : at;
    long back = stay.isCut() ? stay.back : at;
    return back != Long.MAX_VALUE && truth.keeps(since, back) && !truth.isLossBetween(since, at);
  }

  private void end(int account, long at) {
    Stay stay = open.remove(account);
    if (stay != null) {
      spans.add(new Span(account, stay.from, Math.min(at, stay.cut)));
    }
  }

  private void fault(SeatFault.Kind kind, SeatEvent event, String what) {
    faults.add(new SeatFault(kind, event.at(), room, what + " and is told " + event.kind()));
  }

  private record Edge(long at, boolean begins, int account) {}

  private void count() {
    List<Edge> edges = new ArrayList<>();
    for (Span span : spans) {
      edges.add(new Edge(span.from(), true, span.account()));
      edges.add(new Edge(span.to(), false, span.account()));
    }
    edges.sort(Comparator.comparingLong(Edge::at).thenComparing(Edge::begins));
    TreeSet<Integer> inside = new TreeSet<>();
    for (Edge edge : edges) {
      if (!edge.begins()) {
        inside.remove(edge.account());
      } else if (inside.add(edge.account()) && inside.size() > truth.capacity()) {
        faults.add(
            new SeatFault(
                SeatFault.Kind.TOO_MANY_INSIDE,
                edge.at(),
                room,
                inside.size() + " inside, the last one is account " + edge.account()));
      }
      most = Math.max(most, inside.size());
    }
  }

  /// The most at a time.
  int most() {
    return most;
  }

  List<Span> spans() {
    return spans;
  }

  List<SeatFault> faults() {
    return faults;
  }
}
