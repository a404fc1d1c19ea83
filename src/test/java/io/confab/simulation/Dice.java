package io.confab.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// All chance of a history, drawn from its seed.
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /// Both ends may come.
  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /// Nanoseconds between two numbers of milliseconds.
  long millis(double least, double most) {
    return (long) ((least + random.nextDouble() * (most - least)) * Scheduler.MILLI);
  }

  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /// Chance for somebody else, which does not depend on how much others draw.
  RandomGenerator split() {
    return random.split();
  }
}
