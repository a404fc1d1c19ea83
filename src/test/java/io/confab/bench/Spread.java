package io.confab.bench;

import java.util.Collection;
import java.util.Locale;

/// The median of some figures, with the least and the most.
record Spread(double median, double least, double most) {
  static Spread of(Collection<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /// With three digits, or all that stand before the point.
  static String digits(double figure) {
    int before = (int) Math.floor(Math.log10(Math.max(Math.abs(figure), 1e-9))) + 1;
    return String.format(Locale.ROOT, "%,." + Math.clamp(3 - before, 0, 3) + "f", figure);
  }

  @Override
  public String toString() {
    return least == most
        ? digits(median)
        : "%s (%s–%s)".formatted(digits(median), digits(least), digits(most));
  }
}
