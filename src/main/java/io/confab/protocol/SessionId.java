package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// One open WebSocket.
public record SessionId(String value) {
  @JsonCreator
  public SessionId {}

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
