package io.confab.room;

import io.confab.protocol.Room;

/// A room as an account sees it, whether or not it may.
///
/// @param banned of an account that is not a member
record SeenRoom(Room room, boolean banned) {
  RoomRelation relation() {
    return RoomRelation.of(room.type(), room.role(), banned);
  }

  void require(RoomRight right) {
    right.require(relation(), room.archivedAt() != null);
  }
}
