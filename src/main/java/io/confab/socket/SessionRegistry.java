package io.confab.socket;

import io.confab.protocol.Caller;
import io.confab.protocol.Fence;
import io.confab.protocol.SessionId;

/// Told which sessions this node holds. Never waits: connecting does not depend on it.
/// Thread-safe.
public interface SessionRegistry {
  void opened(SessionId session, Caller caller, Fence fence);

  void closed(SessionId session, Caller caller, Fence fence);
}
