package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.Violation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a run showed.
///
/// @param counts of entries of the history, by type
/// @param faults how often each was done, by its name
record Outcome(
    long seed,
    List<Violation> violations,
    List<String> anomalies,
    List<String> resets,
    Map<String, Long> counts,
    Map<String, Long> faults) {
  static Outcome of(long seed, List<Violation> violations, World world) {
    List<Entry> history = world.history().entries();
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> faults = new TreeMap<>();
    for (Entry entry : history) {
      counts.merge(entry.getClass().getSimpleName(), 1L, Long::sum);
      if (entry instanceof Entry.FaultBegan fault) {
        faults.merge(fault.name(), 1L, Long::sum);
      }
      if (entry instanceof Entry.Acked acked && acked.duplicate()) {
        counts.merge("Acked again", 1L, Long::sum);
      }
    }
    return new Outcome(
        seed,
        violations,
        List.copyOf(world.anomalies()),
        List.copyOf(world.resets()),
        counts,
        faults);
  }

  boolean isClean() {
    return violations.isEmpty() && anomalies.isEmpty();
  }

  String text() {
    StringBuilder text = new StringBuilder("seed " + seed + "\n");
    text.append("entries: ").append(counts).append('\n');
    text.append("faults: ").append(faults).append('\n');
    violations.forEach(violation -> text.append("VIOLATION ").append(violation).append('\n'));
    anomalies.forEach(anomaly -> text.append("ANOMALY ").append(anomaly).append('\n'));
    resets.forEach(
        reset -> text.append("not resumed within an epoch: ").append(reset).append('\n'));
    return text.append(
            isClean() ? "0 violations" : violations.size() + anomalies.size() + " violations")
        .toString();
  }
}
