package io.confab.limit;

import io.confab.listener.TrustedProxies;

/// The limits of the public port.
///
/// @param proxies find the client of a request
/// @param bodies what the bodies of requests may hold, for each
// [io.confab.listener.ClientAddress#group]
public record EdgeLimits(
    Limits limits, SignInThrottle signIns, TrustedProxies proxies, ByteBudget bodies) {}
