package io.confab.socket;

import io.confab.protocol.Caller;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ServerFrame;
import org.jspecify.annotations.Nullable;

/// A frame of a client that is signed in, on its way to its [Frames.Endpoint].
///
/// @param id what the answer refers to
record FrameCall(@Nullable String id, AuthenticatedSession session, Session socket) {
  Caller caller() {
    return session.caller();
  }

  void answer(ServerFrame frame) {
    socket.send(frame);
  }

  void close(CloseCode code, String reason) {
    socket.close(code, reason);
  }
}
