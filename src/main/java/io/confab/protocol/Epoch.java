package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Incarnation of the database; changes when it was restored from an older copy.
public record Epoch(@JsonValue long value) implements Comparable<Epoch> {
  @JsonCreator
  public Epoch {}

  public boolean isAfter(Epoch other) {
    return value > other.value;
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
