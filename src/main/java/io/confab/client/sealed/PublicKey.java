package io.confab.client.sealed;

import io.confab.protocol.Opaque;

/// A one-time key or a fallback key as it is published.
public record PublicKey(String id, Opaque key) {}
