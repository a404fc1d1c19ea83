package io.confab.client;

import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;

/// What one sign-in of one device is known by. The refresh token is good for one use and comes
/// anew with each answer.
public record Credentials(
    AccountId accountId, DeviceId deviceId, Secret accessToken, Secret refreshToken) {}
