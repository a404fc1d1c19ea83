package io.confab.account.outside;

import io.confab.bus.BusMessage;
import org.jspecify.annotations.Nullable;

/// What a good token of an outside issuer says.
///
/// @param handle that the account would like to have (`preferred_username`)
/// @param name to be shown (`name`)
/// @param expiresAt `exp`: seconds since 1970
public record OutsideToken(
    OutsideIdentity identity, @Nullable String handle, @Nullable String name, long expiresAt)
    implements BusMessage {}
