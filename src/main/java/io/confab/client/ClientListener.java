package io.confab.client;

import io.confab.protocol.RoomId;
import java.time.Duration;

/// What a [ConfabClient] reports to its program: one call at a time, on the client's event loop,
/// which it must not block. What a call throws is reported as unhandled and changes nothing else.
public interface ClientListener {
  /// @param why the reason for a person to read, such as `goodbye 4409 displaced`; empty when all
  ///     is well
  /// @param retryIn when the next try comes, in `WAITING`; else zero
  default void connectionChanged(ConnectionState state, String why, Duration retryIn) {}

  /// A room is followed from here on: at the first connection and whenever a membership begins.
  default void roomAdded(RoomPosition room) {}

  /// The membership ended; no more updates of this room come.
  ///
  /// @param reason `left`, `removed`, `banned`, `account_removed`, or `gone` where it ended
  ///     unnoticed; others may come
  default void roomRemoved(RoomId room, String reason) {}

  /// Somebody types, or has received or read something, what is unread has changed, or how the
  /// account stands in a room with a capacity. It comes in no order with updates.
  default void signalled(RoomSignal signal) {}

  /// Somebody who is watched comes or goes, or so many are there in a room that is.
  default void present(PresenceSignal signal) {}

  /// Something comes from the queue of this device, or is told of keys. Nothing comes from a queue
  /// that the program does not open ([ConfabClient#queue]).
  default void queued(QueueEvent event) {}

  /// A send is stored or refused.
  default void sendChanged(PendingSend send) {}
}
