package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An account and all its devices, as the server tells of them.
///
/// @param identity null: it has none
public record KnownAccount(
    AccountId accountId, @Nullable Opaque identity, List<KnownDevice> devices) {}
