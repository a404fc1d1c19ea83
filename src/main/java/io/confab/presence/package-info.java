/// Who is connected where, and who is there to others: the registry of sessions and presence, both
/// in Redis, and the log of presence in PostgreSQL.
///
/// Owns the tables `presence_event`, `presence_event_default`, `last_seen`. Owns the keys
/// `conn:{<account>}` and `online_…`. Reads `account`, of which it writes `status_text`, `block`,
/// `room` and `room_member`; writes `chosen` and `status` in `account_changes`.
@NullMarked
package io.confab.presence;

import org.jspecify.annotations.NullMarked;
