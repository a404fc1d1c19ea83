package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.limit.Limits;
import io.confab.metrics.Meters;
import io.confab.protocol.ClientFrameReader;
import io.confab.protocol.NodeId;
import java.time.InstantSource;

/// What every session of one event loop works with.
///
/// @param clock for what clients are told, never for order
record SocketServices(
    NodeId node,
    Config config,
    Requests bus,
    SocketLoop loop,
    SessionRegistry registry,
    Meters meters,
    ClientFrameReader frames,
    InstantSource clock,
    Limits limits) {}
