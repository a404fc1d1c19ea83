package io.confab.simulation;

/// How likely things go wrong at present.
final class FaultRates {
  private double lost;
  private double busy;
  private double slow;
  private double reads;

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

  void none() {
    lost = 0;
    busy = 0;
    slow = 0;
    reads = 0;
  }
}
