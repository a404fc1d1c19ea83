package io.confab.client;

import io.confab.protocol.Secret;
import org.jspecify.annotations.Nullable;

/// An account to be made.
///
/// @param displayName absent: the handle
/// @param password absent: nobody signs in with one
/// @param role absent: `user`
public record NewAccount(
    String handle,
    @Nullable String displayName,
    @Nullable Secret password,
    @Nullable String role) {}
