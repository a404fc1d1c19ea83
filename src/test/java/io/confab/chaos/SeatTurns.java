package io.confab.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How long after the answer to an exit the next one was told that it is inside, where that one was
/// there all the time and no seats were lost meanwhile. Each exit is the turn of the first one in
/// the line whose turn has not come yet.
final class SeatTurns {
  private final SeatTruth truth;
  private final Map<Integer, Person> people = new HashMap<>();
  private final Map<Integer, Turn> ofExit = new HashMap<>();
  private final List<Taken> taken = new ArrayList<>();

  /// A turn that came.
  ///
  /// @param delay in nanoseconds
  record Taken(long at, int room, int account, long delay) {}

  private static final class Person {
    private boolean waits;
    private boolean isInside;
    private boolean isAway;
    private long cut;
    private long ticket;
    private @Nullable Turn turn;
  }

  private static final class Turn {
    private final long began;
    private long answered = Long.MAX_VALUE;
    private boolean counts;

    Turn(long began, boolean counts) {
      this.began = began;
      this.counts = counts;
    }
  }

  private SeatTurns(SeatTruth truth) {
    this.truth = truth;
  }

  static List<Taken> of(List<SeatEvent> events, SeatTruth truth) {
    SeatTurns turns = new SeatTurns(truth);
    events.forEach(turns::add);
    return turns.taken;
  }

  private void add(SeatEvent event) {
    Person person = people.computeIfAbsent(event.account(), _ -> new Person());
    switch (event.kind()) {
      case WAITS -> {
        person.waits = true;
        person.ticket = event.ticket();
      }
      case INSIDE -> inside(person, event);
      case LOST -> out(person);
      case EXITING -> {
        boolean gives = person.isInside;
        out(person);
        if (gives) {
          exiting(event);
        }
      }
      case EXITED -> {
        Turn turn = ofExit.remove(event.account());
        if (turn != null) {
          turn.answered = event.at();
        }
      }
      case CUT -> {
        person.isAway = true;
        person.cut = event.at();
        if (person.turn != null) {
          person.turn.counts = false;
        }
        Turn turn = ofExit.remove(event.account());
        if (turn != null) {
          turn.counts = false;
        }
      }
      case BACK -> {
        person.isAway = false;
        if (person.waits && !truth.keeps(person.cut, event.at())) {
          out(person); // it may have lost its place, and is told nothing then
        }
      }
      case ENTERING -> {} // it may have a place already
    }
  }

  private static void out(Person person) {
    person.waits = false;
    person.isInside = false;
    person.turn = null;
  }

  private void exiting(SeatEvent event) {
    long longAgo = event.at() - SeatTruth.LEFT_BY.plus(SeatTruth.OFFER).toNanos();
    people.values().stream()
        .filter(each -> each.waits && each.turn == null)
        .filter(each -> !each.isAway || each.cut > longAgo)
        .min(Comparator.comparingLong(each -> each.ticket))
        .ifPresent(
            next -> {
              next.turn = new Turn(event.at(), !next.isAway);
              ofExit.put(event.account(), next.turn);
            });
  }

  private void inside(Person person, SeatEvent event) {
    Turn turn = person.turn;
    if (person.waits
        && turn != null
        && turn.counts
        && !truth.isLossBetween(turn.began, event.at())) {
      long delay = turn.answered == Long.MAX_VALUE ? 0 : Math.max(0, event.at() - turn.answered);
      taken.add(new Taken(event.at(), event.room(), event.account(), delay));
    }
    out(person);
    person.isInside = true;
  }
}
