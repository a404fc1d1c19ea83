package io.confab.simulation;

/// How likely things go wrong at present.
final class FaultRates {
  private double lost;
  private double busy;
  private double slow;
  private double reads;
  private boolean full;

  /// That a call of a writer ends with its connection.
  double lost() {
    return lost;
  }

  /// That a transaction is rolled back.
  double busy() {
    return busy;
  }

  /// That a call takes long.
  double slow() {
    return slow;
  }

  /// That a read fails.
  double reads() {
    return reads;
  }

  void lost(double chance) {
    lost = chance;
  }

  void busy(double chance) {
    busy = chance;
  }

  void slow(double chance) {
    slow = chance;
  }

  void reads(double chance) {
    reads = chance;
  }

  /// Whether nothing more fits on the disk of the database.
  boolean full() {
    return full;
  }

  void full(boolean is) {
    full = is;
  }

  void none() {
    lost = 0;
    busy = 0;
    slow = 0;
    reads = 0;
    full = false;
  }
}
