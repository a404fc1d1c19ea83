package io.confab.protocol;

/// A device with keys that gets what is said in a sealed room.
public record PresentDevice(
    AccountId accountId, DeviceId deviceId, RegistrationId registrationId) {}
