package io.confab.config;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The known name that a mistyped one was probably meant to be: the one with the least Levenshtein
/// distance, if that is small.
final class Nearest {
  private static final int FAR = 4;

  private Nearest() {}

  static Optional<String> to(String name, Stream<String> known) {
    return known
        .min(Comparator.comparingInt(k -> distance(name, k)))
        .filter(k -> distance(name, k) < FAR);
  }

  private static int distance(String a, String b) {
    int[] row = IntStream.rangeClosed(0, b.length()).toArray();
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
