package io.confab.message;

import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import io.confab.protocol.WireName;
import io.confab.room.Restriction;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import io.vertx.sqlclient.Row;

/// The reader of a room: rows with the `type` of a room, the `role` of an account in it,
/// whether it is `banned` there, and whether the room is read `inside_only`.
final class ReaderColumns {
  private ReaderColumns() {}

  /// Refuses a reader who may not read the room: `not_found`, `forbidden` or `no_seat`.
  ///
  /// @param seated whether the reader is inside
  static void require(Row row, boolean seated) {
    RoomType type = WireName.of(RoomType.class, row.getString("type"));
    String role = row.getString("role");
    RoomRight.READ.require(
        RoomRelation.of(
            type, role == null ? null : WireName.of(Role.class, role), row.getBoolean("banned")),
        false); // archived rooms are read as ever
    if (row.getBoolean("inside_only") && !seated) {
      throw Restriction.noSeat();
    }
  }
}
