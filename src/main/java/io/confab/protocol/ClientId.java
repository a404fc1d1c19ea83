package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/// Id that a client makes for a send or an edit, so that a retry is recognised.
public record ClientId(String value) {
  @JsonCreator
  public ClientId {}

  /// A new one, of this moment: a UUID of version 7 (RFC 9562, §5.7). Those that are made one after
  /// the other lie near each other where the server looks for them among all that there ever were.
  public static ClientId fresh() {
    return fresh(System.currentTimeMillis(), UUID.randomUUID());
  }

  static ClientId fresh(long millis, UUID random) {
    long high = (millis << 16) | 0x7000 | (random.getMostSignificantBits() & 0xFFF);
    return new ClientId(new UUID(high, random.getLeastSignificantBits()).toString());
  }

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
