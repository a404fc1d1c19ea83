package io.confab.socket;

import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ServerFrame;
import io.vertx.core.Future;

/// The way out to one client. What is sent leaves in the order of the calls; belongs to one
/// event loop.
interface Outbound {
  void send(ServerFrame frame);

  /// Sends a frame that many sockets share.
  ///
  /// @param shown whether the content may be seen, or the number alone
  void send(Event event, boolean shown);

  /// Sends a text frame in two parts.
  ///
  /// @param tail nobody may change it
  void send(byte[] head, byte[] tail);

  /// Sends a signal, which many sockets share.
  void send(RoomSignal signal);

  /// The client was let in: from now on its frames may be as large as frames may be.
  void welcomed();

  /// Whether as much waits to be written as may wait.
  boolean isFull();

  /// Done when all that was sent so far has been taken by the kernel.
  Future<Void> drained();

  /// Says goodbye and closes.
  void close(CloseCode code, String reason);
}
