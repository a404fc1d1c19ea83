package io.confab.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// When the lines of a room are said: some lines in one go on each of some days, the last of them
/// up to now.
final class Sittings {
  private static final int LEAST_PAUSE_S = 40;
  private static final int PAUSES = 100;
  private static final int STRIDE = 37;

  private final List<Sitting> sittings = new ArrayList<>();

  /// @param daysBefore 0: it ends with the last line of the room
  private record Sitting(int firstLine, int daysBefore, LocalTime clock) {}

  void begin(int firstLine, int daysBefore, LocalTime clock) {
    sittings.add(new Sitting(firstLine, daysBefore, clock));
  }

  /// When each of so many lines is said, by the clock of a place, if the last one is said now.
  List<Instant> times(int lines, Instant now, ZoneId zone) {
    Instant[] times = new Instant[lines];
    Arrays.fill(times, now);
    int end = lines;
    for (Sitting sitting : sittings.reversed()) {
      if (sitting.daysBefore() == 0) {
        for (int line = end - 2; line >= sitting.firstLine(); line--) {
          times[line] = times[line + 1].minus(pause(line));
        }
      } else {
        ZonedDateTime day = now.atZone(zone).minusDays(sitting.daysBefore());
        times[sitting.firstLine()] = day.with(sitting.clock()).toInstant();
        for (int line = sitting.firstLine() + 1; line < end; line++) {
          times[line] = times[line - 1].plus(pause(line - 1));
        }
      }
      end = sitting.firstLine();
    }
    return List.of(times);
  }

  /// The time from a line to the next one.
  private static Duration pause(int line) {
    return Duration.ofSeconds(LEAST_PAUSE_S + line * STRIDE % PAUSES);
  }
}
