/// From a committed change to every socket that may see it: the event, its announcement, the feed
/// that puts events in order and fills holes.
///
/// Owns the table `lone_node`; reads `message`, `room_change`, `room_position`, `member_span`
/// and `instance`. Owns in Redis the channels `room:<id>` and `account:<id>`, that of the digests,
/// the keys of room signals (`typing:<room>:<account>`, for 5 s) and the recent windows.
@NullMarked
package io.confab.feed;

import org.jspecify.annotations.NullMarked;
