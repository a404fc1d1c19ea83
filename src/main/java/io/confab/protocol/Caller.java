package io.confab.protocol;

/// Who asks: an account through one of its devices.
public record Caller(AccountId account, DeviceId device) {}
