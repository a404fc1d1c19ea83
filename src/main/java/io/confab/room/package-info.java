/// Rooms and who is in them.
///
/// A change of members takes the row of `room_position` first, decides under that lock
/// ([io.confab.room.RoomRight]), numbers itself in `room_change`, commits, and is then announced.
///
/// Owns the tables `room`, `room_position`, `room_member`, `member_span`, `room_change`,
/// `room_ban`, `room_mute`, `room_invite` and `room_audit`.
@NullMarked
package io.confab.room;

import org.jspecify.annotations.NullMarked;
