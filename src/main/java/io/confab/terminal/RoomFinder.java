package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.Channel;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Finds rooms by what people call them: the name, the id, or `@handle` for the direct room with
/// somebody. Blocks while it asks.
public final class RoomFinder {
  private final ConfabApi api;

  public RoomFinder(ConfabApi api) {
    this.api = api;
  }

  /// A room that the account is in.
  ///
  /// @throws IOException when there is none, or more than one of this name
  public ChatRoom own(String text) throws IOException {
    return ownIfAny(text)
        .orElseThrow(
            () -> new IOException("You are in no room " + text + "; `room list` names yours."));
  }

  /// A room that the account is in afterwards: a channel is joined, a direct room made.
  ///
  /// @throws IOException when there is no such room
  public ChatRoom enter(String text) throws IOException {
    if (text.startsWith("@")) {
      return api.createDirect(account(text).accountId()).await();
    }
    Optional<ChatRoom> own = ownIfAny(text);
    if (own.isPresent()) {
      return own.get();
    }
    Channel channel =
        channel(text)
            .orElseThrow(
                () ->
                    new IOException(
                        "There is no room %s for you; `confab room create %s` makes a channel."
                            .formatted(text, text)));
    return api.join(channel.roomId()).await();
  }

  /// The same; a channel is made of a name that no room has.
  public ChatRoom enterOrMake(String text) throws IOException {
    boolean exists =
        text.startsWith("@") || ownIfAny(text).isPresent() || channel(text).isPresent();
    return exists ? enter(text) : api.createChannel(text, null).await();
  }

  /// The channel of this name.
  public Optional<Channel> channel(String text) {
    return api.findChannels(text).await().stream()
        .filter(found -> found.name().equalsIgnoreCase(text))
        .findFirst();
  }

  /// The account of a handle, with or without `@`.
  public Account account(String handle) throws IOException {
    String bare = handle.startsWith("@") ? handle.substring(1) : handle;
    return api.account(bare)
        .await()
        .orElseThrow(() -> new IOException("Nobody has the handle " + bare + "."));
  }

  private Optional<ChatRoom> ownIfAny(String text) throws IOException {
    if (text.startsWith("@")) {
      Account peer = account(text);
      return api.rooms().await().stream()
          .filter(room -> peer.accountId().equals(room.peerId()))
          .findFirst();
    }
    List<ChatRoom> rooms =
        api.rooms().await().stream()
            .filter(
                room ->
                    room.roomId().toString().equals(text)
                        || (room.name() != null && room.name().equalsIgnoreCase(text)))
            .toList();
    if (rooms.size() > 1) {
      throw new IOException(
          "You are in %d rooms called %s; name one by its id: %s"
              .formatted(
                  rooms.size(),
                  text,
                  String.join(", ", rooms.stream().map(r -> r.roomId().toString()).toList())));
    }
    return rooms.stream().findFirst();
  }
}
