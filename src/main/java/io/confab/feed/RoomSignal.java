package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.time.Duration;

/// What the other members of a room hear of one of them while it lasts: not numbered, not stored,
/// and the first to be dropped. Encoded once for everybody.
///
/// @param account whom it is about; its own sessions do not get it
/// @param kind what lasts, as Redis names it
/// @param lasts zero when it is over
/// @param frame the frame that sessions get, JSON in UTF-8; nobody may change it
public record RoomSignal(RoomId room, AccountId account, String kind, Duration lasts, byte[] frame)
    implements RoomPublication {}
