package io.confab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// `scripts/simulate`: many histories with progress, or one with its trace.
public final class Simulate {
  private static final int SHOWN = 5;

  private Simulate() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    List<String> words = List.of(args);
    new Quiet().begin();
    if (words.contains("--seed")) {
      long seed = number(words, "--seed", 0);
      HistoryResult outcome = Simulation.run(seed, System.out::println);
      System.out.println(outcome);
      System.exit(outcome.isWhole() ? 0 : 1);
    }
    long from = number(words, "--from", 1);
    long count = number(words, "--seeds", 50_000);
    System.exit(run(from, count, (int) number(words, "--threads", threads())) ? 0 : 1);
  }

  private static long threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static long number(List<String> words, String name, long otherwise) {
    int at = words.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(words.get(at + 1).replace("_", ""));
  }

  /// Whether all was whole.
  @SuppressWarnings("SystemOut")
  private static boolean run(long from, long count, int threads) {
    long began = System.nanoTime();
    List<HistoryResult> broken = new ArrayList<>();
    long events = 0;
    long block = Math.max(1, Math.min(1_000, count / 10));
    for (long done = 0; done < count; done += block) {
      long first = from + done;
      List<HistoryResult> outcomes =
          LongStream.range(first, Math.min(first + block, from + count))
              .parallel()
              .mapToObj(Simulation::run)
              .toList();
      events += outcomes.stream().mapToLong(HistoryResult::events).sum();
      outcomes.stream().filter(outcome -> !outcome.isWhole()).forEach(broken::add);
      double seconds = (System.nanoTime() - began) / 1e9;
      long so = Math.min(done + block, count);
      System.out.printf(
          "%d histories, %d entries, %d with violations, %.0f histories/s on %d cores%n",
          so, events, broken.size(), so / seconds, threads);
    }
    broken.stream().limit(SHOWN).forEach(Simulate::tell);
    return broken.isEmpty();
  }

  @SuppressWarnings("SystemOut")
  private static void tell(HistoryResult outcome) {
    System.out.println("seed " + outcome.seed() + " (replay: --seed " + outcome.seed() + ")");
    outcome.violations().stream().limit(SHOWN).forEach(v -> System.out.println("  " + v));
  }
}
