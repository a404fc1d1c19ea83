package io.confab.client;

import io.confab.protocol.AccountId;

/// An account as administrators see it.
///
/// @param role `user`, `admin` or `bot`; others may come
public record AccountState(
    AccountId accountId, String handle, String displayName, String role, boolean suspended) {}
