package io.confab.protocol;

/// Why a membership ended.
public enum LeaveReason implements WireName {
  LEFT,
  REMOVED,
  BANNED,
  ACCOUNT_REMOVED;
}
