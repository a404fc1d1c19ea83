package io.confab.room;

import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;

/// A change as it stands in the log of its room.
///
/// @param actor who did it
/// @param ts milliseconds since 1970, by the database
record NumberedChange(
    RoomId room, Epoch epoch, Rev rev, AccountId actor, long ts, RoomChange change) {

  /// What the members are told.
  Event event() {
    return Event.of(new EventFrames.Stamp(room, rev, epoch, actor, ts), change);
  }
}
