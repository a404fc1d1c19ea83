/// What devices need to talk in sealed rooms: keys, which one device publishes and another uses,
/// the identity of an account, and a vault. All of it is opaque: it is checked for its size, kept,
/// and handed out.
///
/// A device holds keys from its first upload until it is removed, under a number that is never used
/// again, its registration. Devices end in `account`, and a trigger of `device` ends their keys
/// with them.
///
/// Owns the tables `account_identity`, `vault`, `device_key`, `one_time_key`, `spent_key` and
/// `key_claim`. Its functions write `has_keys` of `device`, and read `room`, `room_position` and
/// `room_member`. `account` raises `version` of `account_identity`.
@NullMarked
package io.confab.key;

import org.jspecify.annotations.NullMarked;
