package io.confab.client.sealed;

import io.confab.protocol.Opaque;

/// What is encrypted for one device.
public record LetterTo(RoomDevice device, Opaque body) {}
