package io.confab.seat;

import io.confab.bus.BusMessage;
import io.confab.protocol.AccountId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an account may know of the seats of a room.
///
/// @param inside how many have a seat; offers are not among them
/// @param accounts some of those inside, [#MOST_NAMED] at most; null: not to be known
/// @param waitingList the first in the line, as many; null: not to be known
public record Seats(
    long inside,
    long capacity,
    long waiting,
    @Nullable List<AccountId> accounts,
    @Nullable List<AccountId> waitingList)
    implements BusMessage {
  public static final int MOST_NAMED = 1_000;
}
