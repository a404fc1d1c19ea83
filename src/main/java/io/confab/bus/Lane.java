package io.confab.bus;

/// Chooses among the verticles that serve an address: equal keys meet the same one, in order.
///
/// @param hash spread evenly over all numbers
public record Lane(int hash) {
  /// The lane of everything that concerns one key.
  public static Lane of(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return new Lane((int) (mixed >>> 33));
  }

  int among(int lanes) {
    return Math.floorMod(hash, lanes);
  }
}
