package io.confab.client.sealed;

import io.confab.protocol.Opaque;
import java.util.List;
import java.util.Optional;

/// What a device publishes.
///
/// @param fallback where there is one that was not published
public record Publication(
    Opaque identity, Optional<PublicKey> fallback, List<PublicKey> oneTimeKeys) {}
