package io.confab.bench;

/// One measurement of one contestant, made once a round.
interface Cell {
  String contestant();

  /// What is measured, in a few words.
  String name();

  Measured measure();
}
