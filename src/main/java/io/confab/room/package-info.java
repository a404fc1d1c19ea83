/// Rooms and who is in them.
///
/// A change of members takes the row of `room_position` first, decides under that lock
/// ([io.confab.room.RoomRight]), numbers itself in `room_change`, commits, and is then announced.
///
/// An invitation of an account ends by its answer and by what happens to the room or to who asked,
/// in the same function of the database (`close_invitation`); by time, in `InvitationWatch`. One by
/// a code ends in `InviteStore`.
///
/// Owns the tables `room`, `room_position`, `room_member`, `member_span`, `room_change`,
/// `room_ban`, `room_mute`, `room_invite`, `invitation` and `room_audit`, and reads `message`.
/// That package reads most of them and numbers in `room_position` and `room_change`; `feed` reads
/// `room_position`, `room_change` and `member_span`.
@NullMarked
package io.confab.room;

import org.jspecify.annotations.NullMarked;
