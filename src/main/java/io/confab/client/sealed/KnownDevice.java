package io.confab.client.sealed;

import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RegistrationId;

/// A device with keys of this suite, as the server tells of it.
public record KnownDevice(DeviceId deviceId, RegistrationId registrationId, Opaque identity) {}
