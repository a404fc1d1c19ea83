package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import org.jspecify.annotations.Nullable;

/// What a person is to know about somebody else's keys.
///
/// @param deviceId null: it concerns the account
public record Warning(AccountId accountId, @Nullable DeviceId deviceId, Doubt doubt) {}
