package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.random.RandomGenerator;

/// Identity of a room: a random number of 63 bits, opaque text on the wire.
public record RoomId(long value) implements Comparable<RoomId> {
  /// A new id. Two are equal with a chance of one in 2⁶³; the primary key refuses that case.
  public static RoomId random(RandomGenerator random) {
    return new RoomId(random.nextLong() >>> 1);
  }

  /// Reads the text form; text that no id has is refused as `not_found`.
  @JsonCreator
  public static RoomId parse(String text) {
    return new RoomId(IdText.decode(text));
  }

  @Override
  public int compareTo(RoomId other) {
    return Long.compare(value, other.value);
  }

  @Override
  @JsonValue
  public String toString() {
    return IdText.encode(value);
  }
}
