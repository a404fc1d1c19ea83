package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;

/// A device that takes part in a room.
public record RoomDevice(AccountId accountId, DeviceId deviceId, RegistrationId registrationId) {
  boolean is(AccountId account, DeviceId device) {
    return accountId.equals(account) && deviceId.equals(device);
  }

  /// The same device, whatever its registration is.
  boolean hasNameOf(RoomDevice other) {
    return is(other.accountId, other.deviceId);
  }
}
