package io.confab.socket;

import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.BusEventSource;
import io.confab.feed.FeedHub;
import io.confab.limit.EdgeLimits;
import io.confab.logging.AccessLog;
import io.confab.metrics.Meters;
import io.confab.protocol.NodeId;
import io.confab.time.WheelDriver;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;

/// What the sockets of a node share; makes the endpoint of each event loop.
///
/// @param access where every upgrade has a line
public record SocketEdge(
    NodeId node,
    Config config,
    Bus bus,
    FeedHub hub,
    SessionRegistry registry,
    Meters meters,
    EdgeLimits limits,
    Optional<AccessLog> access) {

  /// For the calling context, which must be that of an event loop.
  public SocketEndpoint endpoint(Vertx vertx) {
    SocketLoop loop = loop(vertx);
    SocketEndpoint endpoint =
        new SocketEndpoint(
            vertx,
            SocketServices.of(
                node, config, bus, loop, registry, meters, InstantSource.system(), limits.limits()),
            limits.proxies(),
            access);
    Context context = vertx.getOrCreateContext();
    hub.epoch()
        .onChange(task -> context.runOnContext(_ -> task.run()), epoch -> endpoint.resync(epoch));
    return endpoint;
  }

  private SocketLoop loop(Vertx vertx) {
    Context context = vertx.getOrCreateContext();
    SocketLoop loop =
        SocketLoop.open(
            task -> context.runOnContext(_ -> task.run()),
            hub,
            bus,
            new BusEventSource(bus, hub.epoch()),
            meters,
            System::nanoTime,
            MemoryShares.ofProcess().ofEach(config.http().loops()));
    WheelDriver.start(vertx, loop.wheel());
    return loop;
  }
}
