package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.room.RoomChangeStore.Position;
import io.vertx.sqlclient.SqlClient;

/// A room that a transaction has locked.
record LockedRoom(SqlClient transaction, RoomFacts facts) {
  RoomId id() {
    return position().room();
  }

  Position position() {
    return facts.position();
  }

  /// As the caller sees it.
  Room room() {
    return facts.room();
  }

  AccountId caller() {
    return facts.caller();
  }
}
