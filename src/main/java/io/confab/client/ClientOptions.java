package io.confab.client;

import io.confab.protocol.RoomId;
import java.util.List;
import java.util.function.Predicate;

/// How a [ConfabClient] behaves.
///
/// @param queueLimit how many sends may wait for their acknowledgement; more are refused
/// @param readsNewest the rooms whose newest page is read when the client meets them for the first
///     time; the page comes as `RoomUpdate.Reset`
/// @param positions what the program has already, from an earlier run; rooms named here are
///     resumed
/// @param confirmsDelivered whether senders are told what was received, in rooms with receipts
public record ClientOptions(
    int queueLimit,
    Predicate<RoomId> readsNewest,
    List<RoomPosition> positions,
    boolean confirmsDelivered) {
  private static final int QUEUE = 1_000;

  /// 1,000 sends may wait, no page is read, nothing is resumed, and what is received
  /// is confirmed.
  public static ClientOptions usual() {
    return new ClientOptions(QUEUE, _ -> false, List.of(), true);
  }

  public ClientOptions queueLimit(int most) {
    return new ClientOptions(most, readsNewest, positions, confirmsDelivered);
  }

  public ClientOptions readsNewest(Predicate<RoomId> which) {
    return new ClientOptions(queueLimit, which, positions, confirmsDelivered);
  }

  public ClientOptions positions(List<RoomPosition> known) {
    return new ClientOptions(queueLimit, readsNewest, List.copyOf(known), confirmsDelivered);
  }

  public ClientOptions confirmsDelivered(boolean whether) {
    return new ClientOptions(queueLimit, readsNewest, positions, whether);
  }
}
