package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/// Id that a client makes for a send or an edit, so that a retry is recognised.
public record ClientId(String value) {
  @JsonCreator
  public ClientId {}

  /// The first 16 bytes of its SHA-256, by which it is kept.
  public UUID key() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
      ByteBuffer id = ByteBuffer.wrap(digest);
      return new UUID(id.getLong(), id.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
