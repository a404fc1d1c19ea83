package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.sealed.SealedLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a room is sealed, and the last lines that the device keeps of it, in their order.
///
/// @param seal null: it is not sealed
record SealedPage(@Nullable RoomSeal seal, List<SealedLine> lines) {
  /// A room of which nothing is kept.
  static SealedPage empty(ChatRoom room) {
    return new SealedPage(RoomSeal.of(room).orElse(null), List.of());
  }
}
