/// One WebSocket connection as RFC 6455 has it, on Netty's pipeline below Vert.x: what comes off
// it,
/// what goes onto it, and with which code it breaks. Knows nothing of sessions.
///
/// ```
///   Wire ── MessageReader ── FrameHeader, Partial
///   FrameWriter
/// ```
@NullMarked
package io.confab.websocket;

import org.jspecify.annotations.NullMarked;
