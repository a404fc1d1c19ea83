package io.confab.client;

import io.confab.protocol.AccountId;
import org.jspecify.annotations.Nullable;

/// Who is banned from a room.
///
/// @param bannedAt milliseconds since 1970
public record Ban(
    AccountId accountId, AccountId bannedBy, @Nullable String reason, long bannedAt) {}
