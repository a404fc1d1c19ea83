package io.confab.client.sealed;

import org.jspecify.annotations.Nullable;

/// A device that the server lists, and what is thought of it.
///
/// @param doubt why nothing is sealed for it; null: it is believed
public record ListedDevice(RoomDevice device, @Nullable Doubt doubt) {}
