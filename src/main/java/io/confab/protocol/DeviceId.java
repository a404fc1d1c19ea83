package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// One installation of a client of an account; the client's choice, unique within the account.
public record DeviceId(String value) {
  @JsonCreator
  public DeviceId {}

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
