package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// One incarnation of a device as a holder of keys; its number is never used again.
public record RegistrationId(@JsonValue long value) implements Comparable<RegistrationId> {
  @JsonCreator
  public RegistrationId {}

  /// Reads the field that names one. Refusal: `invalid_field`.
  public static RegistrationId read(Fields fields, String name) {
    long id = fields.number(name);
    if (id < 1) {
      throw Refusal.invalidField(fields.path(name), "must be a registration");
    }
    return new RegistrationId(id);
  }

  @Override
  public int compareTo(RegistrationId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
