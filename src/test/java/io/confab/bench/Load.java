package io.confab.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Processor time between two moments.
///
/// @param micros of the contestant under test, by role
/// @param driver microseconds of the driver
/// @param foreign how many cores processes had meanwhile that are neither the benchmark nor below
/// it
record Load(Map<Role, Double> micros, double driver, double foreign) {
  private static final double NANOS_PER_MICRO = 1_000;

  /// @param roots the processes that began all others of the contestant
  /// @param bench the process of the driver, which began all contestants
  static Load between(Processes before, Processes after, List<Long> roots, long bench) {
    Map<Role, Double> micros = new EnumMap<>(Role.class);
    add(before, roots, -1, micros);
    add(after, roots, 1, micros);
    double elapsed = (after.nanos() - before.nanos()) / NANOS_PER_MICRO;
    double others = others(after, bench) - others(before, bench);
    double stolen = after.stolen() - before.stolen();
    return new Load(
        Map.copyOf(micros),
        own(after, bench) - own(before, bench),
        (Math.max(0, others) + stolen) / elapsed);
  }

  private static void add(Processes at, List<Long> roots, int sign, Map<Role, Double> micros) {
    for (long pid : at.below(roots)) {
      Processes.Entry entry = at.all().get(pid);
      if (entry != null) {
        double time = sign * (double) (entry.own() + entry.ended());
        micros.merge(Role.of(entry.program()), time, Double::sum);
      }
    }
  }

  /// A process that ends hands its time to its parent, so the sum goes on.
  private static double others(Processes at, long bench) {
    return at.all().entrySet().stream()
        .filter(e -> !at.isBelow(e.getKey(), List.of(bench)) && !at.isKernel(e.getKey()))
        .mapToDouble(e -> e.getValue().own() + e.getValue().ended())
        .sum();
  }

  private static double own(Processes at, long bench) {
    Processes.Entry entry = at.all().get(bench);
    return entry == null ? 0 : entry.own();
  }

  double total() {
    return micros.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  double of(Role role) {
    return micros.getOrDefault(role, 0.0);
  }
}
