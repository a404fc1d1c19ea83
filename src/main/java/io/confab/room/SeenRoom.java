package io.confab.room;

import io.confab.protocol.Room;

/// A room as an account sees it, whether or not it may.
///
/// @param banned of one who is not a member
record SeenRoom(Room room, boolean banned) {
  Standing standing() {
    return Standing.of(room.type(), room.role(), banned);
  }

  void demand(RoomRight right) {
    right.demand(standing(), room.archivedAt() != null);
  }
}
