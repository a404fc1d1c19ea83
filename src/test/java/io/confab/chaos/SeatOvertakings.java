package io.confab.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who of one room went past whom: somebody was told that it waits before another one asked to
/// enter, and stayed, and the other one was told sooner that it is inside. Who is away when its
/// turn comes, and comes back in time, has to be inside soon after that.
final class SeatOvertakings {
  /// A connection that was lost may have left a place behind for so long.
  private static final long LEFT_BEHIND = SeatTruth.LEFT_BY.plusSeconds(3).toNanos();

  /// … and so long may a place be claimed that Redis loses: it is looked at every second, and what
  /// was seen is good for 3 s.
  private static final long CLAIMED = SeatTruth.GRACE.plusSeconds(3).toNanos();

  private final SeatTruth truth;
  private final int room;
  private final Map<Integer, Person> people = new HashMap<>();
  private final List<Episode> episodes = new ArrayList<>();
  private final List<SeatFault> faults = new ArrayList<>();

  private record Away(long from, long to) {}

  /// From asking to being inside, or to the end of that.
  private static final class Episode {
    private final int account;

    /// The earliest time from which the place can be.
    private final long asked;

    private final List<Away> away = new ArrayList<>();

    /// Since when it certainly waited.
    private long waits = Long.MAX_VALUE;

    private long inside = Long.MAX_VALUE;
    private long end = Long.MAX_VALUE;

    Episode(int account, long asked) {
      this.account = account;
      this.asked = asked;
    }
  }

  private static final class Person {
    private @Nullable Episode now;
    private long cut = Long.MAX_VALUE;
    private long mayHaveUntil = Long.MIN_VALUE;
    private boolean isInside;
  }

  private SeatOvertakings(SeatTruth truth, int room) {
    this.truth = truth;
    this.room = room;
  }

  /// @param events of the room, in order
  static List<SeatFault> of(int room, List<SeatEvent> events, SeatTruth truth) {
    SeatOvertakings overtakings = new SeatOvertakings(truth, room);
    for (SeatEvent event : events) {
      overtakings.add(
          event, overtakings.people.computeIfAbsent(event.account(), _ -> new Person()));
    }
    overtakings.people.values().forEach(overtakings::atTheEnd);
    overtakings.compare();
    return overtakings.faults;
  }

  private void add(SeatEvent event, Person person) {
    long at = event.at();
    switch (event.kind()) {
      case ENTERING -> {
        if (person.now == null && !person.isInside) {
          begin(person, event, at < person.mayHaveUntil ? Long.MIN_VALUE : at);
        }
      }
      case WAITS -> {
        person.isInside = false;
        Episode now = person.now == null ? begin(person, event, Long.MIN_VALUE) : person.now;
        now.waits = Math.min(now.waits, at);
      }
      case INSIDE -> {
        if (person.now != null) {
          person.now.inside = at;
          finish(person, at);
        }
        person.isInside = true;
      }
      case EXITING -> {
        finish(person, at);
        person.mayHaveUntil = Long.MAX_VALUE; // the answer may be that it is to try again
      }
      case LOST -> {
        finish(person, at);
        person.mayHaveUntil = leftBehind(at); // it may turn out that it was not
      }
      case CUT -> {
        person.cut = at;
        person.mayHaveUntil = leftBehind(at);
      }
      case BACK -> back(person, at);
      case EXITED -> person.mayHaveUntil = Long.MIN_VALUE;
    }
  }

  /// What Redis had when it was seen last, before it was lost, is claimed until the pause is over,
  /// however long that is.
  private long leftBehind(long at) {
    long until = at + LEFT_BEHIND;
    return truth.isLossBetween(at, at + CLAIMED) ? truth.afterLosses(at, until) : until;
  }

  private static Episode begin(Person person, SeatEvent event, long asked) {
    Episode begun = new Episode(event.account(), asked);
    person.now = begun;
    return begun;
  }

  private void back(Person person, long at) {
    if (person.now != null && person.cut != Long.MAX_VALUE) {
      if (truth.keeps(person.cut, at)) {
        person.now.away.add(new Away(person.cut, at));
      } else {
        finish(person, person.cut);
      }
    }
    if (person.cut != Long.MAX_VALUE && !truth.keeps(person.cut, at)) {
      person.isInside = false;
    }
    person.cut = Long.MAX_VALUE;
  }

  private void finish(Person person, long at) {
    person.isInside = false;
    if (person.now != null) {
      person.now.end = at;
      episodes.add(person.now);
      person.now = null;
    }
  }

  private void atTheEnd(Person person) {
    finish(person, Math.min(person.cut, truth.end()));
  }

  private void compare() {
    Set<Episode> told = new HashSet<>();
    for (Episode other : episodes) {
      if (other.inside == Long.MAX_VALUE || other.asked == Long.MIN_VALUE) {
        continue;
      }
      for (Episode one : episodes) {
        if (isOvertaken(one, other) && told.add(one)) {
          faults.add(
              new SeatFault(
                  SeatFault.Kind.OVERTAKEN,
                  other.inside,
                  room,
                  "account %d, which waited %d ms before account %d asked, was inside %s"
                      .formatted(
                          one.account,
                          (other.asked - one.waits) / 1_000_000,
                          other.account,
                          one.inside == Long.MAX_VALUE
                              ? "not at all"
                              : (one.inside - other.inside) / 1_000_000 + " ms later")));
        }
      }
    }
  }

  private boolean isOvertaken(Episode one, Episode other) {
    if (one.account == other.account
        || one.waits >= other.asked
        || one.end <= other.inside
        || one.inside <= other.inside) {
      return false;
    }
    long due = due(one, other.inside);
    return due < Math.min(one.inside, one.end) && due < truth.end();
  }

  /// When it must be inside at the latest, if another one was so at a time.
  private long due(Episode one, long inside) {
    long due = truth.afterLosses(inside, inside + truth.slack().toNanos());
    for (Away away : one.away) {
      if (away.from() <= due && inside <= away.to()) {
        due = truth.afterLosses(inside, away.to() + truth.slack().toNanos());
      }
    }
    return due;
  }
}
