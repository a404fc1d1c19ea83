/// Messages: storing them in groups, exactly once and in order, editing and deleting them, and
/// reading them as history.
///
/// Owns the tables `message`, `message_version` and `send_key`, and the functions
/// `append_message`, `append_messages` and `change_messages`. They decide under the lock of
/// `room_position` who may send or change, so they also read the tables of rooms and `block`, and
/// write `room_position`, `room_change` and the pace in `room_member`. `feed` and `room` read
/// `message`.
@NullMarked
package io.confab.message;

import org.jspecify.annotations.NullMarked;
