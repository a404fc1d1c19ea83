package io.confab.client;

import org.jspecify.annotations.Nullable;

/// Why one of several things was not done.
///
/// @param code of the catalogue, or one that this client does not know
/// @param field absent: no single one is at fault
public record Fault(String code, String message, @Nullable String field) {}
