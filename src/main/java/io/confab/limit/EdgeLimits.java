package io.confab.limit;

import io.confab.listener.TrustedProxies;

/// The limits of the public port.
///
/// @param proxies find the client of a request
public record EdgeLimits(Limits limits, SignInThrottle signIns, TrustedProxies proxies) {}
