package io.confab.bus;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;

/// Chooses among the verticles that serve an address: equal keys meet the same one, in order.
///
/// @param hash spread evenly over all numbers
public record Lane(int hash) {
  /// The lane of everything that concerns what has no id.
  public static Lane of(String text) {
    return of(text.hashCode());
  }

  /// The lane of everything that concerns one key.
  public static Lane of(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return new Lane((int) (mixed >>> 33));
  }

  /// The lane of everything that concerns a room.
  public static Lane of(RoomId room) {
    return of(room.value());
  }

  /// The lane of everything that concerns an account.
  public static Lane of(AccountId account) {
    return of(account.value());
  }

  int among(int lanes) {
    return Math.floorMod(hash, lanes);
  }
}
