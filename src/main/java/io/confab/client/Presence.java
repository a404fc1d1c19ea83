package io.confab.client;

import io.confab.protocol.AccountId;
import org.jspecify.annotations.Nullable;

/// Whether somebody is there, as far as the account may know.
///
/// @param status `online`, `away` or `offline`; others may come
/// @param lastSeen milliseconds since 1970, of somebody offline
/// @param text what they say of themselves
public record Presence(
    AccountId accountId, String status, @Nullable Long lastSeen, @Nullable String text) {}
