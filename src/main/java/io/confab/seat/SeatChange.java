package io.confab.seat;

import io.confab.protocol.AccountId;
import io.confab.protocol.SeatLoss;
import io.confab.protocol.WireName;
import org.jspecify.annotations.Nullable;

/// An account stands otherwise than before.
///
/// @param waitedMs how long it was in the line, if it has come inside from there; else -1
record SeatChange(AccountId account, Kind kind, long waitedMs) {
  enum Kind implements WireName {
    WAITING(null),
    INSIDE(null),
    OFFER(null),
    LEFT(SeatLoss.LEFT),
    EXPIRED(SeatLoss.EXPIRED),
    REMOVED(SeatLoss.REMOVED);

    private final @Nullable SeatLoss loss;

    Kind(@Nullable SeatLoss loss) {
      this.loss = loss;
    }

    @Nullable SeatLoss loss() {
      return loss;
    }
  }
}
