package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// Why a membership ended.
public enum LeaveReason {
  LEFT,
  REMOVED,
  BANNED,
  ACCOUNT_REMOVED;

  private final String wire = name().toLowerCase(Locale.ROOT);

  @JsonValue
  public String wire() {
    return wire;
  }
}
