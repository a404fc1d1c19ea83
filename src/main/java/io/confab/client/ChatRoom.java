package io.confab.client;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// A room as one of its members (or, for a channel, anybody) sees it.
///
/// @param type `direct`, `group` or `channel`; others may come
/// @param name absent in a direct room
/// @param peerId the other member of a direct room
/// @param role absent when the account is not a member
/// @param slowModeS seconds between two messages of a member; absent: none
/// @param maxMembers absent: as many as like
/// @param capacity how many may be inside at once; absent: there is no inside
/// @param readOutside whether others may read; absent as the capacity
/// @param receipts whether members see how far others have received and read
/// @param encryption absent: the room is not sealed
/// @param expiresInS for how many seconds what is said in a sealed room lasts; absent: as long as
///     anything
/// @param archivedAt milliseconds since 1970
/// @param readSeq how far the account has read, in lists of rooms, and so the next three
/// @param unreadFrom from where it wants to see messages as unread
/// @param unread how many messages of others it has not read
/// @param mentions how many of them mention it
/// @param lastMessage in lists of rooms, where there is one that the account may see
public record ChatRoom(
    RoomId roomId,
    String type,
    @Nullable String name,
    @Nullable String description,
    @Nullable AccountId peerId,
    @Nullable String role,
    @Nullable String history,
    @Nullable Long slowModeS,
    @Nullable Long maxMembers,
    @Nullable Long capacity,
    @Nullable Boolean readOutside,
    long memberCount,
    @Nullable Boolean receipts,
    @Nullable Encryption encryption,
    @Nullable Integer expiresInS,
    @Nullable Long archivedAt,
    Epoch epoch,
    Seq seq,
    Rev rev,
    @Nullable Seq readSeq,
    @Nullable Seq unreadFrom,
    @Nullable Long unread,
    @Nullable Long mentions,
    @Nullable ChatMessage lastMessage) {

  /// How a room is sealed.
  ///
  /// @param suite as the server names it; this client may not know it
  /// @param fromSeq the first number under which nothing plain stands
  /// @param fromRev of the change that sealed it
  public record Encryption(String suite, Seq fromSeq, Rev fromRev) {}

  /// Where the room stood when this was read.
  @JsonIgnore
  public RoomPosition position() {
    return new RoomPosition(roomId, epoch, seq, rev);
  }
}
