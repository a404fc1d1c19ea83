package io.confab.client;

import org.jspecify.annotations.Nullable;

/// What a message said at some time.
///
/// @param ts since when, in milliseconds since 1970
public record MessageVersion(@Nullable String body, long ts) {}
