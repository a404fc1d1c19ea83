package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.Violation;
import io.confab.protocol.CloseCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What a run showed.
///
/// @param counts of entries of the history, by type
/// @param resets views that were not resumed although their epoch was the present one
/// @param faults how often each was done, by its name
/// @param closings from the signal that a sign-in is over to the end of its session
record RunResult(
    long seed,
    List<Violation> violations,
    List<String> anomalies,
    List<String> resets,
    Map<String, Long> counts,
    Map<String, Long> faults,
    Times closings) {
  private static final String LEFT = "member.left";
  private static final String ROLE = "member.role";
  private static final String OTHER_DEVICES = "device_mismatch";
  private static final String MUTED = "member.muted";
  private static final Set<Integer> CLOSED =
      Set.of(CloseCode.REVOKED.code(), CloseCode.SUSPENDED.code());

  static RunResult of(long seed, List<Violation> violations, RunContext world) {
    List<Entry> history = world.history().entries();
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> faults = new TreeMap<>();
    for (Entry entry : history) {
      counts.merge(entry.getClass().getSimpleName(), 1L, Long::sum);
      if (entry instanceof Entry.FaultBegan fault) {
        faults.merge(fault.name(), 1L, Long::sum);
      }
      if (entry instanceof Entry.Received got && Set.of(LEFT, ROLE, MUTED).contains(got.kind())) {
        counts.merge(got.kind(), 1L, Long::sum);
      }
      if (entry instanceof Entry.Refused no && no.code().equals(OTHER_DEVICES)) {
        counts.merge(OTHER_DEVICES, 1L, Long::sum);
      }
      if (entry instanceof Entry.Acked acked && acked.duplicate()) {
        counts.merge("Acked again", 1L, Long::sum);
      }
    }
    return new RunResult(
        seed,
        violations,
        List.copyOf(world.anomalies()),
        List.copyOf(world.resets()),
        counts,
        faults,
        closings(history));
  }

  /// Only those that a server closed; a client may be away then, or lose its connection first.
  private static Times closings(List<Entry> history) {
    Map<String, Long> revoked = new HashMap<>();
    Times times = new Times();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.Revoked over -> revoked.put(over.client(), over.t());
        case Entry.SignedIn anew -> revoked.remove(anew.client());
        case Entry.Disconnected over
            when CLOSED.contains(over.code()) && revoked.containsKey(over.client()) ->
            times.add(over.t() - revoked.remove(over.client()));
        default -> {}
      }
    }
    return times;
  }

  boolean isClean() {
    return wrong() == 0;
  }

  private int wrong() {
    return violations.size() + anomalies.size() + resets.size();
  }

  String text() {
    StringBuilder text = new StringBuilder("seed " + seed + "\n");
    text.append("entries: ").append(counts).append('\n');
    text.append("faults: ").append(faults).append('\n');
    violations.forEach(violation -> text.append("VIOLATION ").append(violation).append('\n'));
    anomalies.forEach(anomaly -> text.append("ANOMALY ").append(anomaly).append('\n'));
    resets.forEach(
        reset -> text.append("not resumed within an epoch: ").append(reset).append('\n'));
    return text.append("revoked → closed (n | p50 | p99 | max, ms): " + closings.cells() + "\n")
        .append(wrong() + " violations")
        .toString();
  }
}
