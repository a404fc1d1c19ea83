package io.confab.protocol;

/// What a member may do in a room.
public enum Role implements WireName {
  OWNER,
  ADMIN,
  MEMBER;
}
