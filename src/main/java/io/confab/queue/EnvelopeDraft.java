package io.confab.queue;

import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.EnvelopeFields;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A send of a sealed room on its way to being stored.
///
/// @param roomId null: to the devices that are named, without a room
/// @param digest of the devices of the room, as the sender knows them
/// @param silent whether it takes no number of the room, wakes and counts for nobody
/// @param expiresInS null: as the room says
/// @param payload for all devices
/// @param bodies for one device each, none twice
public record EnvelopeDraft(
    @Nullable RoomId roomId,
    Caller sender,
    ClientId clientId,
    @Nullable String digest,
    boolean silent,
    @Nullable Integer expiresInS,
    @Nullable String payload,
    List<KeyBody> bodies) {

  /// Stands for the room where there is none.
  public static final RoomId NO_ROOM = new RoomId(0);

  /// Refusals: `not_found` for the number that stands for no room, which is none of a room.
  public static EnvelopeDraft of(@Nullable RoomId room, Caller sender, EnvelopeFields send) {
    if (NO_ROOM.equals(room)) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    return new EnvelopeDraft(
        room,
        sender,
        send.clientId(),
        send.digest(),
        send.silent(),
        send.expiresInS(),
        send.payload(),
        send.bodies());
  }

  /// The room, or [#NO_ROOM].
  public RoomId room() {
    return roomId == null ? NO_ROOM : roomId;
  }

  /// How many characters it brings.
  public long length() {
    return (payload == null ? 0 : payload.length())
        + bodies.stream().mapToLong(each -> each.body().length()).sum();
  }

  /// Nothing of what only clients understand.
  @Override
  public String toString() {
    return "EnvelopeDraft[" + roomId + ", " + sender + ", " + clientId + "]";
  }
}
