package io.confab.feed;

import io.confab.protocol.SeatLoss;
import io.confab.protocol.WireName;
import org.jspecify.annotations.Nullable;

/// What became of an account in a room with a capacity.
public enum SeatNews implements WireName {
  WAITING(null),
  INSIDE(null),
  OFFER(null),
  LEFT(SeatLoss.LEFT),
  EXPIRED(SeatLoss.EXPIRED),
  REMOVED(SeatLoss.REMOVED);

  private final @Nullable SeatLoss loss;

  SeatNews(@Nullable SeatLoss loss) {
    this.loss = loss;
  }

  /// Null where it has something.
  public @Nullable SeatLoss loss() {
    return loss;
  }
}
