package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// What a member may do in a room.
public enum Role {
  OWNER,
  ADMIN,
  MEMBER;

  private final String wire = name().toLowerCase(Locale.ROOT);

  @JsonValue
  public String wire() {
    return wire;
  }

  /// Refusal: `invalid_field`.
  public static Role read(String field, String text) {
    for (Role role : values()) {
      if (role.wire.equals(text)) {
        return role;
      }
    }
    throw Refusal.invalidField(field, "must be owner, admin or member");
  }
}
