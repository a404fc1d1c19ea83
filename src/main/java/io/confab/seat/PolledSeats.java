package io.confab.seat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.seat.SeatCommand.Held;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The seats that this node confirmed to accounts without a session, so that it can claim them when
/// Redis has lost them: such an account carries nothing that says so. Of too many the oldest are
/// forgotten. For any thread.
final class PolledSeats {
  /// Some 200 bytes each.
  static final int MOST = 20_000;

  private final LongSupplier nanoTime;
  private final Map<Seat, Confirmed> confirmed = new LinkedHashMap<>();

  private record Seat(RoomId room, AccountId account) {}

  private record Confirmed(long began, long sent) {}

  PolledSeats(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /// @param sent when the script was by which it is known
  synchronized void set(RoomId room, AccountId account, SeatState state, long sent) {
    Seat seat = new Seat(room, account);
    confirmed.remove(seat);
    if (state instanceof SeatState.Inside inside) {
      confirmed.put(seat, new Confirmed(inside.began(), sent));
      if (confirmed.size() > MOST) {
        confirmed.remove(confirmed.keySet().iterator().next());
      }
    }
  }

  synchronized Optional<Held> held(RoomId room, AccountId account) {
    return Optional.ofNullable(confirmed.get(new Seat(room, account)))
        .map(
            seat ->
                new Held(
                    account,
                    null,
                    seat.began(),
                    Duration.ofNanos(nanoTime.getAsLong() - seat.sent())));
  }
}
