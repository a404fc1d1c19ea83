package io.confab.protocol;

/// The sender of a request: an account through one of its devices.
public record Caller(AccountId account, DeviceId device) {}
