package io.confab.account;

import io.confab.protocol.DeviceId;
import org.jspecify.annotations.Nullable;

/// A device that signs in.
///
/// @param seenFrom as what its address is remembered; null: not at all
/// @param issuedBy the API key by which a backend signs it in; null: somebody does by password
record Device(
    DeviceId id,
    String name,
    String platform,
    byte @Nullable [] seenFrom,
    byte @Nullable [] issuedBy) {}
