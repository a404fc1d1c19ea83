package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the other members of a room hear of one of them: not numbered, not stored, and the first to
/// be dropped. Encoded once for everybody.
///
/// @param account whom it is about; its own sessions do not get it
/// @param state of which Redis knows for as long as it lasts; null: none
/// @param hiddenFrom members who do not get it either
/// @param frame the frame that sessions get, JSON in UTF-8; nobody may change it
public record RoomSignal(
    RoomId room, AccountId account, @Nullable State state, Set<AccountId> hiddenFrom, byte[] frame)
    implements RoomPublication {

  /// @param kind as Redis names it
  /// @param lasts zero when it is over
  public record State(String kind, Duration lasts) {}

  /// Whether the sessions of an account get it.
  public boolean isFor(AccountId reader) {
    return !reader.equals(account) && !hiddenFrom.contains(reader);
  }
}
