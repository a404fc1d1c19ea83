package io.confab.room;

import static io.confab.room.RoomRelation.ADMIN;
import static io.confab.room.RoomRelation.BANNED;
import static io.confab.room.RoomRelation.MEMBER;
import static io.confab.room.RoomRelation.OWNER;
import static io.confab.room.RoomRelation.PARTNER;
import static io.confab.room.RoomRelation.STRANGER;
import static io.confab.room.RoomRelation.VISITOR;
import static io.confab.room.RoomRight.When.ALWAYS;
import static io.confab.room.RoomRight.When.OPEN;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import java.util.Optional;
import java.util.Set;

/// What may be done in a room, by whom, and whether also in an archived one: the one table of
/// rights (spec §4.2). Whoever is not listed is refused as `forbidden`; strangers and the banned
/// hear `not_found`, but that those hear `banned` who try to join.
///
/// What a role allows may still be kept from one by a [Restriction]. Those of messages are decided
/// by the functions of the database that store them, under the room's lock.
public enum RoomRight {
  SEE_ROOM(ALWAYS, OWNER, ADMIN, MEMBER, PARTNER, VISITOR),
  /// Messages and events: pages, export, versions.
  READ(ALWAYS, OWNER, ADMIN, MEMBER, PARTNER),
  SEE_MEMBERS(ALWAYS, OWNER, ADMIN, MEMBER, PARTNER),
  SEND(OPEN, OWNER, ADMIN, MEMBER, PARTNER),
  EDIT_OWN_MESSAGE(OPEN, OWNER, ADMIN, MEMBER, PARTNER),
  EDIT_ANY_MESSAGE(OPEN),
  DELETE_OWN_MESSAGE(OPEN, OWNER, ADMIN, MEMBER, PARTNER),
  DELETE_ANY_MESSAGE(OPEN, OWNER, ADMIN),
  /// For one who is in the room already it changes nothing.
  JOIN(OPEN, OWNER, ADMIN, MEMBER, VISITOR),
  JOIN_BY_INVITE(OPEN, OWNER, ADMIN, MEMBER, VISITOR, STRANGER),
  LEAVE(OPEN, OWNER, ADMIN, MEMBER),
  ADD_MEMBER(OPEN, OWNER, ADMIN),
  INVITE(OPEN, OWNER, ADMIN),
  SEE_INVITES(ALWAYS, OWNER, ADMIN),
  CHANGE_SETTINGS(OPEN, OWNER, ADMIN),
  /// This right and the two next: who has a role of note needs `ACT_ON_…` besides.
  KICK(OPEN, OWNER, ADMIN),
  BAN(OPEN, OWNER, ADMIN),
  MUTE(OPEN, OWNER, ADMIN),
  SEE_BANS(ALWAYS, OWNER, ADMIN),
  ACT_ON_ADMIN(OPEN, OWNER),
  /// Only owners end their ownership themselves.
  ACT_ON_OWNER(OPEN),
  CHANGE_ROLES(OPEN, OWNER),
  TRANSFER(OPEN, OWNER),
  ARCHIVE(OPEN, OWNER),
  READ_AUDIT(ALWAYS, OWNER);

  /// In which state of a room.
  public enum When {
    OPEN,
    ALWAYS
  }

  private final When when;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed
  private final Set<RoomRelation> allowed;

  RoomRight(When when, RoomRelation... allowed) {
    this.when = when;
    this.allowed = Set.of(allowed);
  }

  public boolean isOf(RoomRelation standing) {
    return allowed.contains(standing);
  }

  /// Whether an archived room has it still.
  public boolean outlivesArchiving() {
    return when == ALWAYS;
  }

  /// What may keep one from it who has it.
  public Set<Restriction> restraints() {
    return switch (this) {
      case SEND -> Set.of(Restriction.MUTED, Restriction.SLOW_MODE, Restriction.BLOCKED);
      case EDIT_OWN_MESSAGE -> Set.of(Restriction.MUTED, Restriction.BLOCKED);
      default -> Set.of(); // a rule with two exceptions
    };
  }

  /// Why one of that standing may not, in a room of that state; empty when it may.
  public Optional<ErrorCode> refused(RoomRelation standing, boolean archived) {
    if (isOf(standing)) {
      return archived && when == OPEN ? Optional.of(ErrorCode.CONFLICT) : Optional.empty();
    }
    return Optional.of(
        switch (standing) {
          case STRANGER -> ErrorCode.NOT_FOUND;
          case BANNED ->
              this == JOIN || this == JOIN_BY_INVITE ? ErrorCode.BANNED : ErrorCode.NOT_FOUND;
          case OWNER, ADMIN, MEMBER, PARTNER, VISITOR -> ErrorCode.FORBIDDEN;
        });
  }

  /// Refuses who does not have the right: `not_found`, `forbidden`, `banned` or, in an archived
  /// room, `conflict`.
  public void require(RoomRelation standing, boolean archived) {
    refused(standing, archived)
        .ifPresent(
            code -> {
              throw new Refusal(code, detail(code));
            });
  }

  private static String detail(ErrorCode code) {
    if (code == ErrorCode.NOT_FOUND) {
      return "no such room";
    }
    if (code == ErrorCode.BANNED) {
      return "you are banned from this room";
    }
    return code == ErrorCode.CONFLICT ? "the room is archived" : "not allowed in this room";
  }

  /// What one needs besides to act on a member of that role.
  static RoomRight toActOn(Role role, RoomRight deed) {
    return switch (role) {
      case OWNER -> ACT_ON_OWNER;
      case ADMIN -> ACT_ON_ADMIN;
      case MEMBER -> deed;
    };
  }
}
