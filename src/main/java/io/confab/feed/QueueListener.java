package io.confab.feed;

import io.confab.protocol.RoomId;
import java.util.List;

/// What the node's hub tells of sends that are put into queues, in the rooms that somebody watches
/// for them. May be called from any thread.
public interface QueueListener {
  /// Sends of one room or of several, those of a room in their order.
  void queued(List<QueuedSend> sends);

  /// The room is said to have had so many sends; the last of them may be just on their way.
  void queuedUpTo(RoomId room, long number);

  /// Any number of sends may have passed unheard in the room.
  void look(RoomId room);
}
