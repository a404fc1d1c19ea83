package io.confab.client;

import io.confab.protocol.RoomId;
import java.util.List;

/// What an account has not read.
///
/// @param mentions messages that mention it
/// @param rooms those with something unread
public record UnreadRooms(long total, long mentions, List<UnreadRoom> rooms) {

  /// What it has not read in a room.
  public record UnreadRoom(RoomId roomId, long unread, long mentions) {}
}
