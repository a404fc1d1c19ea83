package io.confab.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A fault that nobody noticed proves nothing: between its beginning and the next of the same name
/// and target somebody must have seen it.
final class FaultRules {
  private record Fault(String name, String target) {}

  private FaultRules() {}

  static void check(List<Entry> history, Findings findings) {
    Map<Fault, Long> unseen = new LinkedHashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.FaultBegan began -> {
          Fault fault = new Fault(began.name(), began.target());
          Long before = unseen.put(fault, began.t());
          if (before != null) {
            report(fault, before, findings);
          }
        }
        case Entry.FaultSeen seen -> unseen.remove(new Fault(seen.name(), seen.target()));
        default -> {}
      }
    }
    unseen.forEach((fault, t) -> report(fault, t, findings));
  }

  private static void report(Fault fault, long t, Findings findings) {
    findings.add(
        Invariant.FAULTS_SEEN,
        "%s of %s at %d had no effect".formatted(fault.name(), fault.target(), t));
  }
}
