package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message of a room as it stands now; its identity is (room, seq). A deleted message is a
/// tombstone: it has no body, and says when and by whom it was deleted.
///
/// @param changedRev rev of the last edit or of the deletion; absent on one that never changed
/// @param mentions whom it mentions; absent if nobody
/// @param ts when it was stored, in milliseconds since 1970 by PostgreSQL's clock, as are the
///     other times
public record Message(
    RoomId roomId,
    Seq seq,
    Rev rev,
    @Nullable Rev changedRev,
    AccountId senderId,
    ClientId clientId,
    @JsonProperty("msg_type") MessageType type,
    @Nullable String body,
    @Nullable Seq replyTo,
    @Nullable String topic,
    @Nullable List<Mention> mentions,
    long ts,
    @Nullable Long editedAt,
    @Nullable Long deletedAt,
    @Nullable AccountId deletedBy) {

  /// The rev that brought it into this state: of two states the one with the higher version is
  /// the newer.
  public Rev version() {
    return changedRev == null ? rev : changedRev;
  }

  /// A message as it was sent.
  public static Message sent(
      RoomId roomId,
      Seq seq,
      Rev rev,
      AccountId senderId,
      SendFields send,
      @Nullable List<Mention> mentions,
      long ts) {
    return new Message(
        roomId,
        seq,
        rev,
        null,
        senderId,
        send.clientId(),
        send.type(),
        send.body(),
        send.replyTo(),
        send.topic(),
        mentions,
        ts,
        null,
        null,
        null);
  }
}
