package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Id that a client makes for a send or an edit, so that a retry is recognised.
public record ClientId(String value) {
  @JsonCreator
  public ClientId {}

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
