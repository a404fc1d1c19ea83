/// One WebSocket connection as RFC 6455 defines it, on Netty's pipeline below Vert.x: frames that
/// come in, frames that go out, and the code with which a fault closes it. Knows nothing of
/// sessions.
///
/// ```
///   Wire ── MessageReader ── FrameHeader, Partial
///   FrameWriter
/// ```
@NullMarked
package io.confab.websocket;

import org.jspecify.annotations.NullMarked;
