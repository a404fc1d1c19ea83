package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import org.jspecify.annotations.Nullable;

/// What a person is to know about somebody else's keys.
///
/// @param deviceId null: it concerns the account
/// @param roomId where it concerns one room
public record Warning(
    AccountId accountId, @Nullable DeviceId deviceId, Doubt doubt, @Nullable RoomId roomId) {

  /// One that concerns no room.
  public Warning(AccountId accountId, @Nullable DeviceId deviceId, Doubt doubt) {
    this(accountId, deviceId, doubt, null);
  }
}
