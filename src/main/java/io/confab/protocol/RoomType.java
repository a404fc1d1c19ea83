package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// How people come into a room: a pair, by invitation, or by finding and joining it.
public enum RoomType {
  DIRECT,
  GROUP,
  CHANNEL;

  private final String wire = name().toLowerCase(Locale.ROOT);

  @JsonValue
  public String wire() {
    return wire;
  }
}
