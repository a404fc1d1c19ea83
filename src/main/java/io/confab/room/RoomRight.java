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
import java.util.Optional;
import java.util.Set;

/// What may be done in a room, by whom, and whether also in an archived one: the one table of
/// rights (spec §4.2). Who is not listed is refused as `forbidden`; strangers and the banned are
/// refused as `not_found`, except that a banned account that tries to join is refused as `banned`.
///
/// A [Restriction] may keep a member from what the role allows.
///
/// Reads are decided by this table itself. All that changes something is decided in SQL, under the
/// lock of the room: sends, edits and deletions by the functions `append_messages`, `send_refused`
/// and `change_refused`, the rest by `room_refused`. `SqlRightsIT` and `SqlRoomRightsIT` hold them
/// equal to this table, cell by cell.
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
  /// For a member it changes nothing.
  JOIN(OPEN, OWNER, ADMIN, MEMBER, VISITOR),
  JOIN_BY_INVITE(OPEN, OWNER, ADMIN, MEMBER, VISITOR, STRANGER),
  LEAVE(ALWAYS, OWNER, ADMIN, MEMBER),
  ADD_MEMBER(OPEN, OWNER, ADMIN),
  INVITE(OPEN, OWNER, ADMIN),
  SEE_INVITES(ALWAYS, OWNER, ADMIN),
  CHANGE_SETTINGS(OPEN, OWNER, ADMIN),
  /// So that only the devices of its members read what is said.
  SEAL(OPEN, OWNER, PARTNER),
  /// For how long what is said in a sealed room lasts.
  SET_EXPIRY(OPEN, OWNER, ADMIN, PARTNER),
  /// To kick, ban or mute an admin or an owner `ACT_ON_…` is needed besides.
  KICK(OPEN, OWNER, ADMIN),
  BAN(OPEN, OWNER, ADMIN),
  MUTE(OPEN, OWNER, ADMIN),
  SEE_BANS(ALWAYS, OWNER, ADMIN),
  ACT_ON_ADMIN(OPEN, OWNER),
  /// Only owners end their ownership themselves.
  ACT_ON_OWNER(OPEN),
  CHANGE_ROLES(OPEN, OWNER),
  TRANSFER(OPEN, OWNER),
  /// One that is archived stays so.
  ARCHIVE(ALWAYS, OWNER),
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

  public boolean isOf(RoomRelation relation) {
    return allowed.contains(relation);
  }

  /// What may keep a member from it whose role allows it; decided in SQL.
  public Set<Restriction> restrictions() {
    return switch (this) {
      case READ, DELETE_OWN_MESSAGE, DELETE_ANY_MESSAGE -> Set.of(Restriction.NO_SEAT);
      case SEND ->
          Set.of(
              Restriction.MUTED, Restriction.SLOW_MODE, Restriction.BLOCKED, Restriction.NO_SEAT);
      case EDIT_OWN_MESSAGE -> Set.of(Restriction.MUTED, Restriction.BLOCKED, Restriction.NO_SEAT);
      case ADD_MEMBER -> Set.of(Restriction.BLOCKED);
      default -> Set.of(); // a rule with some exceptions
    };
  }

  /// Why an account of that relation may not do it, in a room of that state; empty when it may.
  public Optional<ErrorCode> refused(RoomRelation relation, boolean archived) {
    if (isOf(relation)) {
      return archived && when == OPEN ? Optional.of(ErrorCode.CONFLICT) : Optional.empty();
    }
    return Optional.of(
        switch (relation) {
          case STRANGER -> ErrorCode.NOT_FOUND;
          case BANNED ->
              this == JOIN || this == JOIN_BY_INVITE ? ErrorCode.BANNED : ErrorCode.NOT_FOUND;
          case OWNER, ADMIN, MEMBER, PARTNER, VISITOR -> ErrorCode.FORBIDDEN;
        });
  }

  /// Refuses an account without the right: `not_found`, `forbidden`, `banned` or, in an archived
  /// room, `conflict`.
  public void require(RoomRelation relation, boolean archived) {
    refused(relation, archived)
        .ifPresent(
            code -> {
              throw refusal(code);
            });
  }

  static Refusal refusal(ErrorCode code) {
    if (code == ErrorCode.NOT_FOUND) {
      return Refusal.noSuchRoom();
    }
    if (code == ErrorCode.BANNED) {
      return new Refusal(code, "you are banned from this room");
    }
    return new Refusal(
        code, code == ErrorCode.CONFLICT ? "the room is archived" : "not allowed in this room");
  }
}
