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
  MESSAGE_DELETED;

  /// The name in the database and on the wire.
  @Override
  public String wire() {
    return WireName.super.wire().replace('_', '.');
  }

  static AuditAction stored(String wire) {
    return valueOf(wire.replace('.', '_').toUpperCase(Locale.ROOT));
  }
}
