package io.confab.testing.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Loses acknowledgements of sends on the way to a client: whole frames of a WebSocket (RFC 6455,
/// section 5.2). What others have read passes, as nobody would ask for it again; so do answers of
/// HTTP.
public final class AckFilter implements Filter {
  private static final String ACK = "\"type\":\"message.ack\"";
  private static final String SEALED_ACK = "\"type\":\"envelope.ack\"";
  private static final String SENT = "\"status\":\"sent\"";

  private final Drops drops;
  private byte[] held = new byte[0];
  private boolean upgraded;
  private boolean plain;

  public AckFilter(Drops drops) {
    this.drops = drops;
  }

  @Override
  public byte[] toClient(byte[] bytes) {
    if (plain) {
      return bytes;
    }
    held = Filter.join(held, bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream(held.length);
    if (!upgraded) {
      String head = new String(held, StandardCharsets.ISO_8859_1);
      int end = head.indexOf("\r\n\r\n");
      if (end < 0) {
        return new byte[0];
      }
      if (!head.startsWith("HTTP/1.1 101")) {
        plain = true;
        return held;
      }
      upgraded = true;
      out.write(held, 0, end + 4);
      held = Arrays.copyOfRange(held, end + 4, held.length);
    }
    frames(out);
    return out.toByteArray();
  }

  private void frames(ByteArrayOutputStream out) {
    int at = 0;
    for (int size = size(at); size > 0 && at + size <= held.length; size = size(at)) {
      String text = new String(held, at, size, StandardCharsets.UTF_8);
      if (!isAck(text) || !drops.take()) {
        out.write(held, at, size);
      }
      at += size;
    }
    held = Arrays.copyOfRange(held, at, held.length);
  }

  private static boolean isAck(String text) {
    return text.contains(SENT) && (text.contains(ACK) || text.contains(SEALED_ACK));
  }

  /// Of the frame that begins here, or 0 when its head is not there.
  private int size(int at) {
    if (at + 2 > held.length) {
      return 0;
    }
    int length = held[at + 1] & 0x7F;
    int more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (at + 2 + more > held.length) {
      return 0;
    }
    ByteBuffer head = ByteBuffer.wrap(held, at + 2, more);
    return 2
        + more
        + switch (more) {
          case 2 -> Short.toUnsignedInt(head.getShort());
          case 8 -> Math.toIntExact(head.getLong());
          default -> length;
        };
  }
}
