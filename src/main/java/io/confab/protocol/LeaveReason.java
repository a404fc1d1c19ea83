package io.confab.protocol;

import io.confab.config.WireName;

/// Why a membership ended.
public enum LeaveReason implements WireName {
  LEFT,
  REMOVED,
  BANNED,
  ACCOUNT_REMOVED;
}
