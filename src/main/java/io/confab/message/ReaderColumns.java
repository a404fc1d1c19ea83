package io.confab.message;

import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import io.confab.protocol.WireName;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import io.vertx.sqlclient.Row;

/// The reader of a room: rows with the `type` of a room, the `role` of an account in it, and
/// whether it is `banned` there.
final class ReaderColumns {
  private ReaderColumns() {}

  /// Refuses a reader who may not read the room: `not_found` or `forbidden`.
  static void require(Row row) {
    RoomType type = WireName.of(RoomType.class, row.getString("type"));
    String role = row.getString("role");
    RoomRight.READ.require(
        RoomRelation.of(
            type, role == null ? null : WireName.of(Role.class, role), row.getBoolean("banned")),
        false); // archived rooms are read as ever
  }
}
