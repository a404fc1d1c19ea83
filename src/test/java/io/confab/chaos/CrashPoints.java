package io.confab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Has nodes die at each crash point, by `scripts/crash-points`.
public final class CrashPoints {
  private static final int VICTIMS = 2;
  private static final String HEAD =
      """
      | Point | Where | The node dies when | Times |
      |---|---|---|---:|\
      """;

  private CrashPoints() {}

  /// What is asked for.
  ///
  /// @param limit no round begins after it
  private record Wanted(List<CrashPoint> points, int times, long seed, Duration limit) {
    static Wanted of(String[] args) {
      Wanted wanted =
          new Wanted(
              List.of(CrashPoint.values()),
              20,
              System.nanoTime() & 0xFF_FFFFL,
              Duration.ofMinutes(90));
      for (int i = 0; i + 1 < args.length; i += 2) {
        wanted = wanted.with(args[i], args[i + 1]);
      }
      return wanted;
    }

    private Wanted with(String option, String value) {
      return switch (option) {
        case "--times" -> new Wanted(points, Integer.parseInt(value), seed, limit);
        case "--seed" -> new Wanted(points, times, Long.parseLong(value), limit);
        case "--minutes" ->
            new Wanted(points, times, seed, Duration.ofMinutes(Integer.parseInt(value)));
        case "--point" -> new Wanted(List.of(CrashPoint.valueOf(value)), times, seed, limit);
        default -> throw new IllegalArgumentException(option);
      };
    }
  }

  /// @param args `--times N`, `--seed S`, `--minutes N`, `--point NAME`
  public static void main(String[] args) throws IOException {
    System.exit(isClean(Wanted.of(args)) ? 0 : 1); // whatever a client left running
  }

  private static boolean isClean(Wanted wanted) throws IOException {
    Path folder = Files.createTempDirectory("confab-crash");
    System.out.printf(
        "crash points: seed %d, %d × %d, history in %s%n",
        wanted.seed(), wanted.points().size(), wanted.times(), folder);
    long begin = System.nanoTime();
    boolean clean = true;
    CrashProgram program = CrashProgram.of(folder);
    try (CrashRun run = CrashRun.on(folder, wanted.seed(), VICTIMS)) {
      run.archive(program);
      int rounds = 0;
      while (rounds < wanted.times() && since(begin).compareTo(wanted.limit()) < 0) {
        List<String> wrong = run.round(program, wanted.points());
        rounds++;
        clean &= wrong.isEmpty();
        wrong.forEach(text -> System.out.println("crash points: WRONG " + text));
        System.out.printf(
            "crash points: %4d s, round %d of %d, %d wrong%n",
            since(begin).toSeconds(), rounds, wanted.times(), wrong.size());
      }
      RunResult outcome = run.finish();
      System.out.println(HEAD);
      for (CrashPoint point : wanted.points()) {
        System.out.printf(
            "| `%s` | `%s` | %s | %d |%n", point, point.place(), point.title(), run.reached(point));
        clean &= run.reached(point) == wanted.times();
      }
      System.out.println("\n" + outcome.text());
      return clean && outcome.isClean();
    }
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
