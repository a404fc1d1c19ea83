package io.confab.seat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;

/// An account stands otherwise than before.
///
/// @param waitedMs how long it was in the line, if it has come inside from there; else -1
record SeatChange(AccountId account, SeatNews kind, long waitedMs) {}
