package io.confab.client;

import io.confab.protocol.AccountId;
import org.jspecify.annotations.Nullable;

/// What became of a [NewAccount].
///
/// @param accountId absent: it was not made
/// @param error why not
public record MadeAccount(@Nullable AccountId accountId, @Nullable Fault error) {}
