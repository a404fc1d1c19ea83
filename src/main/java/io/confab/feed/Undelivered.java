package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.FailureReason;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;

/// A message of a sealed room that no device of an account can get any more.
///
/// @param sender who is to be told
public record Undelivered(
    RoomId room, Seq seq, AccountId account, AccountId sender, FailureReason reason) {}
