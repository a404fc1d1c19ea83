package io.confab.feed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The fields of which publications consist.
final class BinaryFields {
  private BinaryFields() {}

  static byte[] join(byte[]... fields) {
    int size = 0;
    for (byte[] field : fields) {
      size += field.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (byte[] field : fields) {
      out.put(field);
    }
    return out.array();
  }

  static byte[] id(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /// A length of two bytes, then UTF-8.
  static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Short.BYTES + bytes.length)
        .putShort((short) bytes.length)
        .put(bytes)
        .array();
  }

  static String readText(ByteBuffer in) {
    byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
