package io.confab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Has nodes die at each crash point, by `scripts/crash-points`.
public final class CrashPoints {
  private static final int TIMES = 20;

  private CrashPoints() {}

  /// @param args `--times N`, `--seed S`, `--point NAME`
  public static void main(String[] args) throws IOException {
    int times = TIMES;
    long seed = System.nanoTime() & 0xFF_FFFFL;
    List<CrashPoint> points = List.of(CrashPoint.values());
    for (int i = 0; i + 1 < args.length; i += 2) {
      switch (args[i]) {
        case "--times" -> times = Integer.parseInt(args[i + 1]);
        case "--seed" -> seed = Long.parseLong(args[i + 1]);
        case "--point" -> points = List.of(CrashPoint.valueOf(args[i + 1]));
        default -> throw new IllegalArgumentException(args[i]);
      }
    }
    System.exit(run(points, times, seed) ? 0 : 1); // what an HTTP client left running does not hold
  }

  private static boolean run(List<CrashPoint> points, int times, long seed) throws IOException {
    Path folder = Files.createTempDirectory("confab-crash");
    System.out.printf(
        "crash points: seed %d, %d × %d, history in %s%n", seed, points.size(), times, folder);
    List<CrashRun.Row> rows = new ArrayList<>();
    Outcome outcome;
    try (CrashRun run = CrashRun.on(folder, seed)) {
      for (CrashPoint point : points) {
        long begin = System.nanoTime();
        CrashRun.Row row = run.crash(point, times);
        rows.add(row);
        System.out.printf(
            "crash points: %s: %d of %d, %d s%n",
            point, row.reached(), times, (System.nanoTime() - begin) / 1_000_000_000);
        row.wrong().forEach(wrong -> System.out.println("crash points: WRONG " + wrong));
      }
      outcome = run.finish();
    }
    System.out.println(CrashRun.Row.HEAD);
    rows.forEach(System.out::println);
    System.out.println();
    System.out.println(outcome.text());
    return outcome.isClean() && rows.stream().allMatch(CrashRun.Row::isClean);
  }
}
