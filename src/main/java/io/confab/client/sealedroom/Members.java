package io.confab.client.sealedroom;

import io.confab.client.sealed.Rotation;
import io.confab.protocol.AccountId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who is in a sealed room, and how it is sealed for them.
///
/// @param accounts the own one too
/// @param expiresInS for how many seconds what is said there lasts; null: as long as anything
/// @param peer the other one of a room of two
record Members(
    List<AccountId> accounts,
    Rotation rotation,
    @Nullable Integer expiresInS,
    Optional<AccountId> peer) {}
