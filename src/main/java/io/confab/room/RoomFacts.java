package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.room.RoomChangeStore.Position;

/// What a decision about a room rests on: where the locked room stands, and the room as the caller
/// sees it.
record RoomFacts(Position position, SeenRoom seen, AccountId caller) {
  Room room() {
    return seen.room();
  }

  /// The rev of the next change.
  Rev next() {
    return position.rev().next();
  }

  void require(RoomRight right) {
    right.require(seen.relation(), position.archived());
  }

  /// Refuses a caller who may not do it to a member of that role.
  void require(RoomRight right, Role to) {
    require(RoomRight.toActOn(to, right));
  }
}
