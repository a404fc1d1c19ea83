package io.confab.config;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// A digest over fields in an order: each goes in with its length, absent ones with -1, so that no
/// two contents look alike.
public final class FieldHash {
  private final MessageDigest sha = Sha256.start();
  private final ByteBuffer scratch = ByteBuffer.allocate(Long.BYTES);

  public FieldHash add(long number) {
    sha.update(scratch.clear().putLong(number).flip());
    return this;
  }

  public FieldHash add(@Nullable String field) {
    byte[] bytes = field == null ? new byte[0] : field.getBytes(StandardCharsets.UTF_8);
    sha.update(scratch.clear().putInt(field == null ? -1 : bytes.length).flip());
    sha.update(bytes);
    return this;
  }

  /// Its first eight bytes. The fields are used up.
  public long firstBytes() {
    return ByteBuffer.wrap(sha.digest()).getLong();
  }
}
