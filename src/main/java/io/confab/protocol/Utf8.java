package io.confab.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// UTF-8 that has to be right (RFC 3629).
public final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /// Reads all of it. A decoder that refuses what is broken takes the longer way, through a buffer
  /// of characters: so it is asked only where the quick one replaced something, or found the
  /// character of replacement itself.
  public static String text(byte[] bytes) throws CharacterCodingException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) < 0
        ? text
        : StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
