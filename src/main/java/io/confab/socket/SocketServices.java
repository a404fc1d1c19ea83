package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.limit.Limits;
import io.confab.message.MessageRequests;
import io.confab.metrics.Meters;
import io.confab.protocol.NodeId;
import io.confab.socket.RoomStreams.StreamContext;
import java.time.InstantSource;

/// What every session of one event loop works with.
///
/// @param clock for what clients are told, never for order
record SocketServices(
    NodeId node,
    Config config,
    Requests bus,
    SocketLoop loop,
    StreamContext streams,
    SessionRegistry registry,
    Meters meters,
    InstantSource clock,
    Limits limits,
    Frames frames) {

  static SocketServices of(
      NodeId node,
      Config config,
      Requests bus,
      SocketLoop loop,
      SessionRegistry registry,
      Meters meters,
      InstantSource clock,
      Limits limits) {
    Frames frames = new Frames(limits);
    new SessionFrames(config.limits().roomsPerAccount(), clock).mount(frames);
    TypingFrames typing = new TypingFrames(bus, loop);
    new MessageFrames(
            new MessageRequests(bus, limits, meters, loop.seats()),
            typing,
            config.limits().bodyBytes())
        .mount(frames);
    new EnvelopeSendFrames(new MessageRequests(bus, limits, meters, loop.seats()), typing)
        .mount(frames);
    new QueueFrames().mount(frames);
    typing.mount(frames);
    new MarkerFrames(bus).mount(frames);
    new PresenceFrames(bus, loop).mount(frames);
    new SeatFrames(bus, loop.seats()).mount(frames);
    StreamContext streams =
        new StreamContext(
            bus,
            loop.feeds(),
            loop.source(),
            loop.retries(),
            loop.early(),
            loop.unread(),
            loop.seats(),
            config.limits().roomsPerAccount(),
            config.limits().resumeEventsPerRoom());
    return new SocketServices(
        node, config, bus, loop, streams, registry, meters, clock, limits, frames);
  }
}
