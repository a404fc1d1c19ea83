package io.confab.room;

import io.confab.protocol.EntityTag;
import io.confab.protocol.Room;
import io.confab.room.RoomCommand.RoomView;

/// A room as an account sees it, whether or not it may.
///
/// @param tag of its settings
/// @param banned of an account that is not a member
record SeenRoom(Room room, EntityTag tag, boolean banned) {
  RoomView view() {
    return new RoomView(room, tag);
  }

  RoomRelation relation() {
    return RoomRelation.of(room.type(), room.role(), banned);
  }

  void require(RoomRight right) {
    right.require(relation(), room.archivedAt() != null);
  }
}
