package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Number of a message in its room: 1, 2, 3 … without holes; 0 stands before the first.
public record Seq(@JsonValue long value) implements Comparable<Seq> {
  @JsonCreator
  public Seq {}

  /// As many digits as always fit.
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

  /// Before the first message.
  public static final Seq ZERO = new Seq(0);

  /// Reads the field that names a message. Refusal: `invalid_field`.
  public static Seq read(Fields fields, String name) {
    return of(fields.path(name), fields.number(name));
  }

  /// The same for a field that may be missing.
  static @Nullable Seq readOptional(Fields fields, String name) {
    Long seq = fields.optionalNumber(name);
    return seq == null ? null : of(fields.path(name), seq);
  }

  /// The number that a path names; text that is none is refused as `not_found`, like a message
  /// that does not exist.
  public static Seq parse(String text) {
    if (NUMBER.matcher(text).matches()) {
      return new Seq(Long.parseLong(text));
    }
    throw new Refusal(ErrorCode.NOT_FOUND, "no such message");
  }

  /// The greater of the two.
  public static Seq later(Seq one, Seq other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Seq of(String path, long seq) {
    if (seq < 1) {
      throw Refusal.invalidField(path, "must be a seq of the room");
    }
    return new Seq(seq);
  }

  @Override
  public int compareTo(Seq other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
