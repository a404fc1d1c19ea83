/// How far members have read and received, who has read what they sent, and what they have not read
/// yet.
///
/// Owns the tables `marker` and `receipt`, which begin and end with memberships by triggers of
/// `room_member`, and `markers` in `account_changes`. Its functions read `room_position`,
/// `room_member`, `member_span`, `message`, `mention`, `account` and `block`, and lock none of
/// them. `room` reads `marker` and `receipt` for `welcome` and lists.
@NullMarked
package io.confab.marker;

import org.jspecify.annotations.NullMarked;
