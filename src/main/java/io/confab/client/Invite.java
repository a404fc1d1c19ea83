package io.confab.client;

import org.jspecify.annotations.Nullable;

/// An invitation to a room; its code is told only when it is made.
///
/// @param maxUses absent: without a bound
/// @param expiresAt milliseconds since 1970; absent: never
public record Invite(
    String inviteId, long uses, @Nullable Long maxUses, @Nullable Long expiresAt) {}
