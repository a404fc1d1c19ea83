package io.confab.socket;

import io.confab.protocol.Caller;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;

/// Told which sessions this node holds. Never waits: connecting does not depend on it.
/// Thread-safe.
public interface SessionRegistry {
  void opened(SessionId session, Caller caller);

  void closed(SessionId session, Caller caller);

  /// Whether a newer session has the device of this one. Fails when the registry is away.
  /// Answers on the caller's context.
  Future<Boolean> isDisplaced(SessionId session);
}
