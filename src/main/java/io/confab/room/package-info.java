/// Rooms and who is in them.
///
/// Owns the tables `room`, `room_position`, `room_member`, `member_span` and `room_change`.
@NullMarked
package io.confab.room;

import org.jspecify.annotations.NullMarked;
