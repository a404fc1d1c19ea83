package io.confab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/// How long seats of one room stood free while somebody who is there waited. Who may have a seat,
/// as far as the log can tell, counts as having one: who was inside and is away for a while, who
/// asks, and who is away before the first one that is there, and may have an offer.
final class SeatVacancies {
  private final SeatTruth truth;
  private final int room;
  private final long leftBy;
  private final Map<Integer, Person> people = new HashMap<>();
  private final List<SeatFault> faults = new ArrayList<>();
  private final PriorityQueue<Long> looks = new PriorityQueue<>();
  private long freeSince = Long.MAX_VALUE;
  private long longest;

  private enum Stand {
    OUT,
    ASKING,
    WAITING,
    INSIDE
  }

  private static final class Person {
    private Stand stand = Stand.OUT;
    private long ticket;
    private boolean isAway;
    private long cut;
  }

  private SeatVacancies(SeatTruth truth, int room, Duration leftBy) {
    this.truth = truth;
    this.room = room;
    this.leftBy = leftBy.toNanos();
  }

  /// @param events of the room, in order
  /// @param leftBy for how long one who was inside, and is gone, may have the seat
  static SeatVacancies of(int room, List<SeatEvent> events, SeatTruth truth, Duration leftBy) {
    SeatVacancies vacancies = new SeatVacancies(truth, room, leftBy);
    for (SeatEvent event : events) {
      vacancies.lookUntil(event.at());
      vacancies.add(event);
      vacancies.look(event.at());
    }
    vacancies.lookUntil(truth.end());
    vacancies.over(truth.end());
    return vacancies;
  }

  /// What changes by the time alone.
  private void lookUntil(long at) {
    while (!looks.isEmpty() && looks.peek() < at) {
      look(looks.poll());
    }
  }

  private void add(SeatEvent event) {
    Person person = people.computeIfAbsent(event.account(), _ -> new Person());
    switch (event.kind()) {
      case ENTERING -> {
        if (person.stand == Stand.OUT) {
          person.stand = Stand.ASKING;
        }
      }
      case WAITS -> {
        person.stand = Stand.WAITING;
        person.ticket = event.ticket();
      }
      case INSIDE -> person.stand = Stand.INSIDE;
      case EXITED, LOST -> person.stand = Stand.OUT;
      case CUT -> {
        person.isAway = true;
        person.cut = event.at();
        looks.add(event.at() + leftBy + 1);
        looks.add(event.at() + leftBy + SeatTruth.OFFER.toNanos() + 1);
      }
      case BACK -> {
        person.isAway = false;
        if (person.stand == Stand.WAITING && !truth.keeps(person.cut, event.at())) {
          person.stand = Stand.ASKING; // it may have lost its place, and is told nothing then
        }
      }
      case EXITING -> {} // it may have the seat until the answer
    }
  }

  private void look(long at) {
    if (isFree(at) && !truth.isLossBetween(at, at)) {
      freeSince = Math.min(freeSince, at);
    } else {
      over(at);
    }
  }

  private boolean isFree(long at) {
    long first = Long.MAX_VALUE;
    for (Person person : people.values()) {
      if (person.stand == Stand.WAITING && !person.isAway) {
        first = Math.min(first, person.ticket);
      }
    }
    if (first == Long.MAX_VALUE) {
      return false;
    }
    int had = 0;
    for (Person person : people.values()) {
      had += mayHave(person, at, first) ? 1 : 0;
    }
    return had < truth.capacity();
  }

  private boolean mayHave(Person person, long at, long first) {
    return switch (person.stand) {
      case OUT -> false;
      case ASKING -> !person.isAway || at - person.cut <= leftBy;
      case INSIDE -> !person.isAway || at - person.cut <= leftBy;
      case WAITING ->
          person.isAway
              && person.ticket < first
              && at - person.cut <= leftBy + SeatTruth.OFFER.toNanos();
    };
  }

  private void over(long at) {
    if (freeSince == Long.MAX_VALUE) {
      return;
    }
    long end =
        truth.losses().stream()
            .filter(loss -> loss.from() >= freeSince && loss.from() < at)
            .mapToLong(SeatLog.Loss::from)
            .min()
            .orElse(at);
    long free = end - freeSince;
    longest = Math.max(longest, free);
    if (free > truth.slack().toNanos()) {
      faults.add(
          new SeatFault(
              SeatFault.Kind.NOT_FILLED,
              freeSince,
              room,
              "a seat was free for " + free / 1_000_000 + " ms while somebody waited"));
    }
    freeSince = Long.MAX_VALUE;
  }

  Duration longest() {
    return Duration.ofNanos(longest);
  }

  List<SeatFault> faults() {
    return faults;
  }
}
