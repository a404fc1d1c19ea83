package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// One running JVM.
public record NodeId(String value) {
  @JsonCreator
  public NodeId {}

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
