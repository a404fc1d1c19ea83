package io.confab.room;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// What stands in the audit log of a room.
public enum AuditAction {
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
  /// One of somebody else; written by the function `delete_message`.
  MESSAGE_DELETED;

  private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '.');

  @JsonValue
  public String wire() {
    return wire;
  }

  static AuditAction stored(String wire) {
    return valueOf(wire.replace('.', '_').toUpperCase(Locale.ROOT));
  }
}
