package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.room.RoomChangeStore.Position;
import io.vertx.sqlclient.SqlClient;

/// A room that a transaction has locked, as the caller sees it.
record LockedRoom(SqlClient transaction, Position position, SeenRoom seen, AccountId caller) {
  Room room() {
    return seen.room();
  }

  RoomId id() {
    return position.room();
  }

  void require(RoomRight right) {
    right.require(seen.standing(), position.archived());
  }

  /// Refuses who may not do it to a member of that role.
  void require(RoomRight deed, Role to) {
    require(RoomRight.toActOn(to, deed));
  }

  /// Whether who comes and goes is told in numbers.
  boolean isBig(long members) {
    return members > NewRoom.TOLD_ONE_BY_ONE;
  }
}
