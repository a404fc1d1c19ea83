package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/// A room as one of its members (or, for a channel, anybody) sees it.
///
/// @param name absent in a direct room
/// @param peerId the other one in a direct room
/// @param role absent for one who is not a member
/// @param slowModeS seconds between two messages of a member; absent where there is no slow mode
/// @param maxMembers absent where there is no limit
/// @param capacity how many may be inside at once; absent where there is no inside
/// @param readOutside whether others may read; absent as the capacity
/// @param receipts whether members see how far others have received and read
/// @param encryption absent where it is not sealed
/// @param expiresInS for how many seconds what is said in a sealed room lasts; absent: as long as
///     anything
/// @param archivedAt milliseconds since 1970
public record Room(
    RoomId roomId,
    RoomType type,
    @Nullable String name,
    @Nullable String description,
    @Nullable AccountId peerId,
    @Nullable Role role,
    HistoryRule history,
    @Nullable Integer slowModeS,
    @Nullable Long maxMembers,
    @Nullable Integer capacity,
    @Nullable Boolean readOutside,
    long memberCount,
    boolean receipts,
    @Nullable Encryption encryption,
    @Nullable Integer expiresInS,
    @Nullable Long archivedAt,
    Epoch epoch,
    Seq seq,
    Rev rev) {

  /// How it is sealed.
  ///
  /// @param fromSeq the first number under which nothing plain stands
  /// @param fromRev of the change that sealed it
  public record Encryption(String suite, Seq fromSeq, Rev fromRev) {}

  /// A room that is not sealed.
  public Room(
      RoomId roomId,
      RoomType type,
      @Nullable String name,
      @Nullable String description,
      @Nullable AccountId peerId,
      @Nullable Role role,
      HistoryRule history,
      @Nullable Integer slowModeS,
      @Nullable Long maxMembers,
      @Nullable Integer capacity,
      @Nullable Boolean readOutside,
      long memberCount,
      boolean receipts,
      @Nullable Long archivedAt,
      Epoch epoch,
      Seq seq,
      Rev rev) {
    this(
        roomId,
        type,
        name,
        description,
        peerId,
        role,
        history,
        slowModeS,
        maxMembers,
        capacity,
        readOutside,
        memberCount,
        receipts,
        null,
        null,
        archivedAt,
        epoch,
        seq,
        rev);
  }

  /// Whether one has to be inside to read it.
  @JsonIgnore
  public boolean isReadInsideOnly() {
    return Boolean.FALSE.equals(readOutside);
  }
}
