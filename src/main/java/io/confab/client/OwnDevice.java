package io.confab.client;

import io.confab.protocol.DeviceId;

/// A device on which the account is signed in.
///
/// @param current whether it is this one
/// @param createdAt milliseconds since 1970
public record OwnDevice(
    DeviceId deviceId, String name, String platform, boolean current, long createdAt) {}
