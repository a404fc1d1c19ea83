package io.confab.ledger;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Collects violations; of each kind the first ones in words and the others as a number.
final class Findings {
  private static final int IN_WORDS = 20;

  private final List<Violation> violations = new ArrayList<>();
  private final Map<Invariant, Integer> counts = new EnumMap<>(Invariant.class);

  void add(Invariant invariant, String text) {
    if (counts.merge(invariant, 1, Integer::sum) <= IN_WORDS) {
      violations.add(new Violation(invariant, text));
    }
  }

  List<Violation> all() {
    List<Violation> all = new ArrayList<>(violations);
    counts.forEach(
        (invariant, count) -> {
          if (count > IN_WORDS) {
            all.add(new Violation(invariant, "and " + (count - IN_WORDS) + " more"));
          }
        });
    return all;
  }
}
