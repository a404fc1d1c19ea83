package io.confab.client;

import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;

/// The tokens of one sign-in of one device. The refresh token is good for one use; each answer
/// brings a new one.
public record Credentials(
    AccountId accountId, DeviceId deviceId, Secret accessToken, Secret refreshToken) {}
