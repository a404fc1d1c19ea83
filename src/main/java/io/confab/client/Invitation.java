package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import org.jspecify.annotations.Nullable;

/// Somebody asks the account to join a room.
///
/// @param ts milliseconds since 1970 by PostgreSQL's clock
public record Invitation(
    RoomId roomId, @Nullable String name, long memberCount, AccountId invitedBy, long ts) {}
