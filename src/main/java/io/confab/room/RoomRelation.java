package io.confab.room;

import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import org.jspecify.annotations.Nullable;

/// What an account is to a room: the column of [RoomRight].
public enum RoomRelation {
  OWNER,
  ADMIN,
  MEMBER,
  /// One of the two of a direct room.
  PARTNER,
  /// Not a member, of a room that everybody may find.
  VISITOR,
  /// Not a member, and may not know that the room exists. Former members are strangers, or
  /// visitors.
  STRANGER,
  /// A stranger who may not join either.
  BANNED;

  /// @param role absent for an account that is not a member
  /// @param banned of an account that is not a member
  public static RoomRelation of(RoomType type, @Nullable Role role, boolean banned) {
    if (role == null) {
      return banned ? BANNED : type == RoomType.CHANNEL ? VISITOR : STRANGER;
    }
    if (type == RoomType.DIRECT) {
      return PARTNER;
    }
    return switch (role) {
      case OWNER -> OWNER;
      case ADMIN -> ADMIN;
      case MEMBER -> MEMBER;
    };
  }
}
