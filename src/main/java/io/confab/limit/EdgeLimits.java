package io.confab.limit;

import io.confab.listener.TrustedProxies;

/// What the edge asks before it lets anybody in.
///
/// @param proxies say whose request it is
public record EdgeLimits(Limits limits, SignInThrottle signIns, TrustedProxies proxies) {}
