package io.confab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a log of seats says, and what in it must not be.
///
/// @param most inside a room at a time
/// @param stays how often somebody was inside
/// @param turns when seats that were given up were the next one's, the longest delay last
/// @param longestFree the longest time that a seat stood free while somebody waited
/// @param leftBy after which the seats of those who did not come back were others'
record SeatFindings(
    List<SeatFault> faults,
    int most,
    long stays,
    List<SeatTurns.Taken> turns,
    Duration longestFree,
    Duration leftBy) {
  private static final int SHOWN = 10;
  private static final Duration FAR = SeatTruth.LEFT_BY.multipliedBy(2);
  private static final double NANOS = 1e9;

  static SeatFindings of(SeatLog log, SeatTruth truth) {
    Map<Integer, List<SeatEvent>> rooms = log.byRoom();
    List<SeatFault> faults = new ArrayList<>();
    List<SeatTurns.Taken> turns = new ArrayList<>();
    int most = 0;
    long count = 0;
    for (Map.Entry<Integer, List<SeatEvent>> room : rooms.entrySet()) {
      SeatStays stays = SeatStays.of(room.getKey(), room.getValue(), truth);
      faults.addAll(stays.faults());
      most = Math.max(most, stays.most());
      count += stays.spans().size();
      faults.addAll(SeatOvertakings.of(room.getKey(), room.getValue(), truth));
      turns.addAll(SeatTurns.of(room.getValue(), truth));
    }
    List<SeatVacancies> vacancies = vacancies(rooms, truth, SeatTruth.LEFT_BY);
    vacancies.forEach(each -> faults.addAll(each.faults()));
    turns.sort(Comparator.comparingLong(SeatTurns.Taken::delay));
    return new SeatFindings(
        faults, most, count, turns, longestFree(vacancies), leftBy(rooms, truth));
  }

  private static List<SeatVacancies> vacancies(
      Map<Integer, List<SeatEvent>> rooms, SeatTruth truth, Duration leftBy) {
    return rooms.entrySet().stream()
        .map(room -> SeatVacancies.of(room.getKey(), room.getValue(), truth, leftBy))
        .toList();
  }

  private static Duration longestFree(Collection<SeatVacancies> vacancies) {
    return vacancies.stream()
        .map(SeatVacancies::longest)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /// The shortest time, in whole seconds, by which nothing stood free for too long.
  private static Duration leftBy(Map<Integer, List<SeatEvent>> rooms, SeatTruth truth) {
    Duration least = Duration.ZERO;
    Duration most = FAR;
    while (most.minus(least).compareTo(Duration.ofSeconds(1)) > 0) {
      Duration middle = least.plus(most).dividedBy(2);
      boolean works = longestFree(vacancies(rooms, truth, middle)).compareTo(truth.slack()) <= 0;
      least = works ? least : middle;
      most = works ? middle : most;
    }
    return Duration.ofSeconds(most.plusMillis(999).toSeconds());
  }

  /// How many there are of a kind.
  long count(SeatFault.Kind kind) {
    return faults.stream().filter(fault -> fault.kind() == kind).count();
  }

  Duration turn(double quantile) {
    if (turns.isEmpty()) {
      return Duration.ZERO;
    }
    int index = (int) Math.ceil(quantile * turns.size()) - 1;
    return Duration.ofNanos(turns.get(Math.max(0, index)).delay());
  }

  /// As a table, with the first faults of each kind below it.
  String text(long began) {
    StringBuilder text = new StringBuilder("| what | |\n|---|---|\n");
    row(text, "stays inside", stays);
    row(text, "most inside a room at once", most);
    for (SeatFault.Kind kind : SeatFault.Kind.values()) {
      row(text, kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), count(kind));
    }
    row(
        text,
        "from the answer to an exit to the next one's `seat.inside`, " + turns.size() + " times",
        "p50 %d ms, p99 %d ms, longest %d ms"
            .formatted(turn(0.5).toMillis(), turn(0.99).toMillis(), turn(1).toMillis()));
    row(text, "longest time that a seat stood free", longestFree.toMillis() + " ms");
    row(
        text,
        "seats of those who stayed away were others' within",
        leftBy.compareTo(FAR) < 0 ? leftBy.toSeconds() + " s" : "a seat stood free anyway");
    for (SeatFault.Kind kind : SeatFault.Kind.values()) {
      faults.stream()
          .filter(fault -> fault.kind() == kind)
          .limit(SHOWN)
          .forEach(
              fault ->
                  text.append(
                      "%s after %.3f s in room %d: %s%n"
                          .formatted(
                              kind, (fault.at() - began) / NANOS, fault.room(), fault.what())));
    }
    turns.reversed().stream()
        .limit(SHOWN)
        .forEach(
            turn ->
                text.append(
                    "late after %.3f s in room %d: account %d, %d ms%n"
                        .formatted(
                            (turn.at() - began) / NANOS,
                            turn.room(),
                            turn.account(),
                            turn.delay() / 1_000_000)));
    return text.toString();
  }

  private static void row(StringBuilder text, String name, Object value) {
    text.append("| ").append(name).append(" | ").append(value).append(" |\n");
  }
}
