package io.confab.client.sealed;

import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RegistrationId;
import org.jspecify.annotations.Nullable;

/// A device with keys, as the server tells of it.
///
/// @param identity null: it is of another suite
public record KnownDevice(
    DeviceId deviceId, RegistrationId registrationId, @Nullable Opaque identity) {}
