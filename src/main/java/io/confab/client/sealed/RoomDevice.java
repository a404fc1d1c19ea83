package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;

/// A device that takes part in a room.
public record RoomDevice(AccountId accountId, DeviceId deviceId, RegistrationId registrationId) {}
