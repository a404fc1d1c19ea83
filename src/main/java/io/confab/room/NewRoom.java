package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import java.util.List;

/// A room about to be made.
///
/// @param creator among the members
/// @param members the first ones, the creator first, nobody twice
record NewRoom(
    RoomId id, RoomType type, RoomSettings settings, AccountId creator, List<AccountId> members) {}
