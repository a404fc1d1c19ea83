package io.confab.protocol;

/// A device whose queue took nothing.
public record FullDevice(AccountId accountId, DeviceId deviceId) {}
