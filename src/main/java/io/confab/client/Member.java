package io.confab.client;

import io.confab.protocol.AccountId;

/// A member of a room.
///
/// @param role `owner`, `admin` or `member`; others may come
/// @param joinedAt milliseconds since 1970
public record Member(
    AccountId accountId, String handle, String displayName, String role, long joinedAt) {}
