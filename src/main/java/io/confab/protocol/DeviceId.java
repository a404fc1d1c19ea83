package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// One installation of a client of an account; the client's choice, unique within the account.
public record DeviceId(String value) {
  @JsonCreator
  public DeviceId {}

  /// Reads what names a device in a path; text that no device's id can be is refused as
  /// `not_found`.
  public static DeviceId parse(String text) {
    try {
      return new DeviceId(TextRules.clientMade("device_id", text));
    } catch (Refusal _) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such device");
    }
  }

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
