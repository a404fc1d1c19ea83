package io.confab.testing.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads what one client tells PostgreSQL, in whatever pieces the bytes come (PostgreSQL
/// documentation, chapter "Frontend/Backend Protocol"). For one thread.
final class ClientMessages {
  private static final int ENCRYPTION_REQUESTS = 80_877_103; // SSL; the one for GSS is next
  private static final int CANCEL = 80_877_102;

  /// Receives each message after the start-up.
  interface Reader {
    void read(char type, String body);
  }

  private final Reader reader;
  private byte[] held = new byte[0];
  private boolean started;

  ClientMessages(Reader reader) {
    this.reader = reader;
  }

  void add(byte[] bytes) {
    held = Filter.join(held, bytes);
    ByteBuffer in = ByteBuffer.wrap(held);
    while (isWhole(in)) {
      char type = started ? (char) in.get() : 0;
      byte[] body = new byte[in.getInt() - Integer.BYTES];
      in.get(body);
      if (started) {
        reader.read(type, new String(body, StandardCharsets.UTF_8));
      } else {
        int request = ByteBuffer.wrap(body).getInt();
        started = request < CANCEL || request > ENCRYPTION_REQUESTS + 1;
      }
    }
    held = Arrays.copyOfRange(held, in.position(), held.length);
  }

  /// Messages after the start-up have a type before their length.
  private boolean isWhole(ByteBuffer in) {
    int type = started ? 1 : 0;
    return in.remaining() >= type + Integer.BYTES
        && in.remaining() >= type + in.getInt(in.position() + type);
  }
}
