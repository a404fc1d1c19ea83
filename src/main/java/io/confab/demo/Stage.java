package io.confab.demo;

import io.confab.client.Channel;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.config.Sha256;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds rooms again and derives ids of sends from their places, so that a second run adds nothing.
final class Stage {
  private static final int ID_BYTES = 16;

  private Stage() {}

  /// The channel of this name, of which the caller is a member afterwards; made when there is
  /// none. Blocks.
  static RoomId channel(ConfabApi api, String name, @Nullable String description) {
    Optional<Channel> found =
        api.findChannels(name).await().stream()
            .filter(channel -> channel.name().equalsIgnoreCase(name))
            .findFirst();
    return found.isPresent()
        ? api.join(found.get().roomId()).await().roomId()
        : api.createChannel(name, description).await().roomId();
  }

  /// The caller's own group of this name.
  static Optional<RoomId> group(ConfabApi api, String name) {
    return api.rooms().await().stream()
        .filter(room -> room.type().equals("group") && name.equals(room.name()))
        .map(ChatRoom::roomId)
        .findFirst();
  }

  /// An id that is the same for the same parts, and another one for others.
  static ClientId clientId(RoomId room, List<String> parts) {
    String whole = room + "\0" + String.join("\0", parts);
    return new ClientId("again-" + Sha256.hex(whole, ID_BYTES));
  }
}
