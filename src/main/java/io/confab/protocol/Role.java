package io.confab.protocol;

import io.confab.config.WireName;

/// What a member may do in a room.
public enum Role implements WireName {
  OWNER,
  ADMIN,
  MEMBER;
}
