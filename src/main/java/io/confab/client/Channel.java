package io.confab.client;

import io.confab.protocol.RoomId;
import org.jspecify.annotations.Nullable;

/// A channel as a search finds it.
public record Channel(RoomId roomId, String name, @Nullable String description, long memberCount) {}
