package io.confab.room;

import io.confab.protocol.Room;

/// A room as an account sees it, whether or not it may.
///
/// @param banned of one who is not a member
record SeenRoom(Room room, boolean banned) {
  RoomRelation standing() {
    return RoomRelation.of(room.type(), room.role(), banned);
  }

  void require(RoomRight right) {
    right.require(standing(), room.archivedAt() != null);
  }
}
