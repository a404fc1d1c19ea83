/// WebSockets: handshake, connections, sessions, what waits to be written.
///
/// ```
/// SocketEndpoint ── Handshake, Origins                 may this upgrade become a socket?
///       │ a Connection for each
///   Connection ── Liveness                             beats, pings, deadlines
///    │      │ └─ Inbox ── Session ── RoomStreams       requests and what answers them
///    │      │                    └── SessionQueue       what waits for the device
///    │    SocketChannel ── StallWatch, Flushes         what goes out, bounded; goodbye and close
///   Wire (package websocket)                           frames of RFC 6455
/// ```
///
/// Everything belongs to one event loop and waits on its `TimingWheel`; `SocketLoop` holds what the
/// sockets of a loop share.
@NullMarked
package io.confab.socket;

import org.jspecify.annotations.NullMarked;
