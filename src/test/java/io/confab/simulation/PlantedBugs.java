package io.confab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Plants each bug and tells how many histories it takes until a check finds it.
public final class PlantedBugs {
  static final int MOST_SEEDS = 3_000;

  /// In which history a bug was found that hides from the first forty. Where the simulation has
  /// changed since, the numbers that [#main] prints belong here.
  static final Map<String, Integer> FOUND_AT =
      Map.ofEntries(
          Map.entry("a page of another epoch", 751),
          Map.entry("a queue that was locked is not asked for again", 367),
          Map.entry("positions before subscribe", 353),
          Map.entry("the rest of a digest forgotten", 326),
          Map.entry("silence taken for a rollback", 273),
          Map.entry("what waits behind a room put aside overtakes it", 228),
          Map.entry("window ignoring an edit", 137),
          Map.entry("a failed comparison forgotten", 110),
          Map.entry("a wake of which nobody is told", 107),
          Map.entry("who is full never looks again", 107),
          Map.entry("a room put aside is overtaken", 106),
          Map.entry("the last node does not ask", 52),
          Map.entry("more on the way than may be", 46),
          Map.entry("lone nodes not heard", 44));

  private PlantedBugs() {}

  /// @param violation empty: not caught
  record Catch(Bug bug, long seeds, double seconds, Optional<String> violation) {
    String row() {
      return String.format(
          Locale.ROOT,
          "| %s | %s | %s | %d | %.1f s |",
          bug.name(),
          bug.check(),
          violation.map(v -> v.substring(0, v.indexOf(':'))).orElse("**not caught**"),
          seeds,
          seconds);
    }
  }

  /// Whether some history finds it, the one that did before or another.
  static boolean isCaught(Bug bug) {
    Integer seed = FOUND_AT.get(bug.name());
    if (seed != null) {
      try (Mutant mutant = Mutant.with(bug)) {
        if (!mutant.violations(run(bug), seed).isEmpty()) {
          return true;
        }
      }
    }
    return hunt(bug).violation().isPresent();
  }

  private static String run(Bug bug) {
    return bug.check().equals(Bugs.WITHOUT_DIGESTS) ? "runWithoutDigests" : "run";
  }

  private static Catch hunt(Bug bug) {
    String run = run(bug);
    try (Mutant mutant = Mutant.with(bug)) {
      long began = System.nanoTime();
      for (long seed = 1; seed <= MOST_SEEDS; seed++) {
        List<?> violations = mutant.violations(run, seed);
        if (!violations.isEmpty()) {
          return new Catch(
              bug, seed, since(began), Optional.of(String.valueOf(violations.getFirst())));
        }
      }
      return new Catch(bug, MOST_SEEDS, since(began), Optional.empty());
    }
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    new Quiet().begin();
    System.out.println("| bug | found by | what is violated | histories | time |");
    System.out.println("|---|---|---|---:|---:|");
    List<Catch> all = new ArrayList<>();
    for (Bug bug : Bugs.simulated()) {
      if (args.length == 0 || bug.name().contains(args[0])) {
        Catch found = hunt(bug);
        System.out.println(found.row());
        all.add(found);
      }
    }
    System.exit(all.stream().allMatch(found -> found.violation().isPresent()) ? 0 : 1);
  }
}
