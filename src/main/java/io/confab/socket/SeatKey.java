package io.confab.socket;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;

/// A seat, or a place in the line: of an account, in a room.
record SeatKey(AccountId account, RoomId room) {}
