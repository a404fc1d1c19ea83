package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// What kind of content a message has.
public enum MessageType {
  TEXT;

  private final String wire = name().toLowerCase(Locale.ROOT);

  @JsonValue
  public String wire() {
    return wire;
  }
}
