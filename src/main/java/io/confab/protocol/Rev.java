package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Number of a change in a room, messages included: 1, 2, 3 … without holes; 0 stands before
/// the first.
public record Rev(@JsonValue long value) implements Comparable<Rev> {
  @JsonCreator
  public Rev {}

  /// Before the first change.
  public static final Rev ZERO = new Rev(0);

  /// The number that follows.
  public Rev next() {
    return new Rev(value + 1);
  }

  /// Whether this number comes after the other.
  public boolean isAfter(Rev other) {
    return value > other.value;
  }

  @Override
  public int compareTo(Rev other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
