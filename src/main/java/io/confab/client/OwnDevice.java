package io.confab.client;

import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;
import org.jspecify.annotations.Nullable;

/// A device on which the account is signed in, or that still has keys.
///
/// @param current whether it is this one
/// @param createdAt milliseconds since 1970
/// @param registrationId of its keys; absent: it has none
/// @param suite of its keys, as the server names it; this client may not know it
/// @param signedOutAt milliseconds since 1970; absent: it is signed in
public record OwnDevice(
    DeviceId deviceId,
    String name,
    String platform,
    boolean current,
    long createdAt,
    @Nullable RegistrationId registrationId,
    @Nullable String suite,
    @Nullable Long signedOutAt) {}
