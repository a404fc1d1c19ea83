/// Who is inside a room with a capacity and who waits for a seat: `docs/adr/0054`.
///
/// Owns the tables `seat_epoch` and `room_seats`, by which it is known that Redis still has all of
/// it. Owns the keys `seats:…`. Reads `room`, `room_position`, `room_member` and `room_ban`; writes
/// `room_audit`.
@NullMarked
package io.confab.seat;

import org.jspecify.annotations.NullMarked;
