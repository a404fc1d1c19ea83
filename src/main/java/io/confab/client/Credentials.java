package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;

/// The tokens of one sign-in of one device. Each refresh brings a new refresh token; the former
/// one is good for a repetition only, while the new one is unused.
public record Credentials(
    AccountId accountId, DeviceId deviceId, Secret accessToken, Secret refreshToken) {}
