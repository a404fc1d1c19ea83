package io.confab.socket;

import io.confab.protocol.Caller;
import io.confab.protocol.Fence;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.SessionId;

/// Told which sessions this node holds. Never waits: connecting does not depend on it.
/// Thread-safe.
public interface SessionRegistry {
  void opened(SessionId session, Caller caller, Fence fence);

  /// @param parting whether it was meant to be over, and not lost
  void closed(SessionId session, Caller caller, Fence fence, boolean parting);

  /// An open session says what it is to others.
  void shows(SessionId session, Caller caller, PresenceStatus status);
}
