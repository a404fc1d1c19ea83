package io.confab.room;

import io.confab.protocol.WireName;
import java.util.Locale;

/// What stands in the audit log of a room.
public enum AuditAction implements WireName {
  MEMBER_ADDED,
  MEMBER_REMOVED,
  MEMBER_BANNED,
  MEMBER_UNBANNED,
  MEMBER_MUTED,
  MEMBER_UNMUTED,
  MEMBER_ROLE,
  OWNER_CHANGED,
  ROOM_CHANGED,
  ROOM_ARCHIVED,
  INVITE_MADE,
  INVITE_DELETED,
  /// One of somebody else; written by the function `change_messages`.
  MESSAGE_DELETED,
  /// Put at the head of the line before the room; written by `io.confab.seat`, as the next.
  SEAT_LET_IN("seat.let_in"),
  SEAT_REMOVED;

  private final String wire;

  AuditAction() {
    this.wire = name().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  AuditAction(String wire) {
    this.wire = wire;
  }

  /// The name in the database and on the wire.
  @Override
  public String wire() {
    return wire;
  }

  static AuditAction stored(String wire) {
    return WireName.of(AuditAction.class, wire);
  }
}
