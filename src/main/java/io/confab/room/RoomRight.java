package io.confab.room;

import static io.confab.room.Standing.ADMIN;
import static io.confab.room.Standing.MEMBER;
import static io.confab.room.Standing.OWNER;
import static io.confab.room.Standing.PARTNER;
import static io.confab.room.Standing.STRANGER;
import static io.confab.room.Standing.VISITOR;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import java.util.Set;

/// What may be done in a room, and by whom: the one table of rights (spec §4.2). Whoever is not
/// listed is refused as `forbidden`, a stranger as `not_found`. The state of the room is looked
/// at apart from it.
public enum RoomRight {
  SEE_ROOM(OWNER, ADMIN, MEMBER, PARTNER, VISITOR),
  /// Messages and events: pages, export, versions.
  READ(OWNER, ADMIN, MEMBER, PARTNER),
  SEE_MEMBERS(OWNER, ADMIN, MEMBER, PARTNER),
  /// For one who is in the room already it changes nothing.
  JOIN(OWNER, ADMIN, MEMBER, VISITOR),
  LEAVE(OWNER, ADMIN, MEMBER),
  ADD_MEMBER(OWNER, ADMIN),
  REMOVE_MEMBER(OWNER, ADMIN),
  REMOVE_ADMIN(OWNER),
  /// Only owners end their ownership, by leaving.
  REMOVE_OWNER,
  /// This right and the next ones: the functions `edit_message` and `delete_message` decide the
  /// same under the room's lock.
  EDIT_OWN_MESSAGE(OWNER, ADMIN, MEMBER, PARTNER),
  EDIT_ANY_MESSAGE,
  DELETE_OWN_MESSAGE(OWNER, ADMIN, MEMBER, PARTNER),
  DELETE_ANY_MESSAGE(OWNER, ADMIN);

  @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed
  private final Set<Standing> allowed;

  RoomRight(Standing... allowed) {
    this.allowed = Set.of(allowed);
  }

  public boolean isOf(Standing standing) {
    return allowed.contains(standing);
  }

  /// Refuses who does not have the right: `not_found` or `forbidden`.
  public void demand(Standing standing) {
    if (standing == STRANGER) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    if (!isOf(standing)) {
      throw new Refusal(ErrorCode.FORBIDDEN, "not allowed in this room");
    }
  }
}
