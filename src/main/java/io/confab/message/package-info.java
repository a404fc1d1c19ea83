/// Messages: storing them in groups, exactly once and in order, editing and deleting them, and
/// reading them as history.
///
/// Owns the tables `message`, `message_version` and `send_key`, and the functions
/// `append_messages`, `edit_message` and `delete_message`.
@NullMarked
package io.confab.message;

import org.jspecify.annotations.NullMarked;
