package io.confab.feed;

import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;

/// What the node's hub tells of the rooms that somebody watches. May be called from any thread.
public interface RoomListener {
  /// Events of one room or of several, those of a room in their order.
  void events(List<Event> events);

  void signal(RoomSignal signal);

  /// The room is said to stand at `rev`; its events may be just on their way.
  void moved(RoomId room, Rev rev);

  /// Anything may have passed unheard in the room.
  void look(RoomId room);
}
