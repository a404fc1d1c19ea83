package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Number of an envelope in the queue of its device: 1, 2, 3 … without holes; 0 stands before the
/// first.
public record QueueSeq(@JsonValue long value) implements Comparable<QueueSeq> {
  @JsonCreator
  public QueueSeq {}

  /// Reads the field that names one. Refusal: `invalid_field`.
  public static QueueSeq read(Fields fields, String name) {
    long number = fields.number(name);
    if (number < 0) {
      throw Refusal.invalidField(fields.path(name), "must be 0 or more");
    }
    return new QueueSeq(number);
  }

  public QueueSeq next() {
    return new QueueSeq(value + 1);
  }

  public boolean isAfter(QueueSeq other) {
    return value > other.value;
  }

  @Override
  public int compareTo(QueueSeq other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
