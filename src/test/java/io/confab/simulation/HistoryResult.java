package io.confab.simulation;

import java.util.List;

/// How a history ended.
///
/// @param violations what does not hold, each in words that begin with the name of the check
/// @param fingerprint equal whenever the same seed runs the same code
public record HistoryResult(long seed, List<String> violations, long fingerprint, long events) {
  public boolean isWhole() {
    return violations.isEmpty();
  }
}
