package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.random.RandomGenerator;

/// Identity of an account: a random number of 63 bits, opaque text on the wire.
public record AccountId(long value) implements Comparable<AccountId> {
  /// A new id. Two are equal with a chance of one in 2⁶³; the primary key refuses that case.
  public static AccountId random(RandomGenerator random) {
    return new AccountId(random.nextLong() >>> 1);
  }

  /// Reads the text form; text that no id has is refused as `not_found`.
  @JsonCreator
  public static AccountId parse(String text) {
    return new AccountId(IdText.decode(text));
  }

  @Override
  public int compareTo(AccountId other) {
    return Long.compare(value, other.value);
  }

  @Override
  @JsonValue
  public String toString() {
    return IdText.encode(value);
  }
}
