package io.confab.limit;

import io.confab.listener.TrustedProxies;

/// The limits of the public port.
///
/// @param proxies find the client of a request
/// @param bodies what the bodies of requests may hold, by the group of the client's address
public record EdgeLimits(
    Limits limits, SignInThrottle signIns, TrustedProxies proxies, Budget bodies) {}
