package io.confab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Plants each bug and tells how many histories it takes until a check finds it.
public final class PlantedBugs {
  static final int MOST_SEEDS = 3_000;

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

  static Catch hunt(Bug bug) {
    String run = bug.check().equals(Bugs.WITHOUT_DIGESTS) ? "runWithoutDigests" : "run";
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
