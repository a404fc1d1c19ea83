/// From a committed change to every socket that may see it: the event, its announcement, the feed
/// that puts events in order and fills holes.
///
/// Reads the tables `message` and `room_change`; owns the channels `room:<id>` and `account:<id>`.
@NullMarked
package io.confab.feed;

import org.jspecify.annotations.NullMarked;
