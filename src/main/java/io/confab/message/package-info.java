/// Messages: storing them in groups, exactly once and in order, editing and deleting them, and
/// reading them as history.
///
/// Owns the tables `message`, `message_version`, `mention` and `send_key`, and the functions
/// `append_message`, `append_messages` and `change_messages`. They decide under the lock of
/// `room_position` who may send or change and who is mentioned, so they also read `account`,
/// `block` and the tables of rooms, and write `room_position`, `room_change` and, in `room_member`,
/// how many messages were sent and at which pace. `feed` and `room` read `message`.
@NullMarked
package io.confab.message;

import org.jspecify.annotations.NullMarked;
