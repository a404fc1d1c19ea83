package io.confab.client;

import io.confab.protocol.RoomId;
import org.jspecify.annotations.Nullable;

/// A channel that a search found.
public record Channel(RoomId roomId, String name, @Nullable String description, long memberCount) {}
