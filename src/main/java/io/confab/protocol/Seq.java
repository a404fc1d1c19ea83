package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Number of a message in its room: 1, 2, 3 … without holes; 0 stands before the first.
public record Seq(@JsonValue long value) implements Comparable<Seq> {
  @JsonCreator
  public Seq {}

  /// Before the first message.
  public static final Seq ZERO = new Seq(0);

  @Override
  public int compareTo(Seq other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
