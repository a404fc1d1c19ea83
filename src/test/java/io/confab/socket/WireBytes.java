package io.confab.socket;

import io.confab.websocket.FrameHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Puts a text onto the wire as clients might (RFC 6455 §5.2): in one frame or several, with
/// control frames between them, and now and then with a head that is wrong.
final class WireBytes {
  private static final int LAST = 0x80;
  private static final int MASKED = 0x80;
  private static final int IN_16_BITS = 126;
  private static final int IN_64_BITS = 127;
  private static final int FRAGMENTS = 4;
  private static final int CONTROL = 130;

  private WireBytes() {}

  static byte[] make(SplittableRandom random, byte[] text) {
    return switch (random.nextInt(20)) {
      case 0 -> text; // no frame at all
      case 1 -> wrongHead(random, frame(random, LAST | FrameHeader.TEXT, text));
      case 2 -> frame(random, random.nextInt(256), text);
      case 3 -> lying(random, text);
      case 4 -> join(control(random), frame(random, LAST | FrameHeader.TEXT, text));
      case 5, 6, 7 -> fragments(random, text);
      default -> frame(random, LAST | FrameHeader.TEXT, text);
    };
  }

  private static byte[] fragments(SplittableRandom random, byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int opcode = FrameHeader.TEXT;
    int from = 0;
    for (int i = random.nextInt(FRAGMENTS); i > 0; i--) {
      int to = from + random.nextInt(text.length - from + 1);
      out.writeBytes(frame(random, opcode, Arrays.copyOfRange(text, from, to)));
      if (random.nextInt(4) == 0) {
        out.writeBytes(control(random));
      }
      opcode = random.nextInt(50) == 0 ? FrameHeader.TEXT : FrameHeader.CONTINUATION;
      from = to;
    }
    byte[] rest = Arrays.copyOfRange(text, from, text.length);
    out.writeBytes(frame(random, LAST | opcode, rest));
    return out.toByteArray();
  }

  private static byte[] control(SplittableRandom random) {
    byte[] payload = new byte[random.nextInt(CONTROL)];
    random.nextBytes(payload);
    return frame(random, LAST | 8 + random.nextInt(3), payload);
  }

  private static byte[] frame(SplittableRandom random, int first, byte[] payload) {
    ByteBuffer out = ByteBuffer.allocate(14 + payload.length);
    out.put((byte) first);
    if (payload.length < IN_16_BITS) {
      out.put((byte) (MASKED | payload.length));
    } else if (payload.length <= 0xFFFF) {
      out.put((byte) (MASKED | IN_16_BITS)).putShort((short) payload.length);
    } else {
      out.put((byte) (MASKED | IN_64_BITS)).putLong(payload.length);
    }
    byte[] mask = new byte[Integer.BYTES];
    random.nextBytes(mask);
    out.put(mask);
    for (int i = 0; i < payload.length; i++) {
      out.put((byte) (payload[i] ^ mask[i & 3]));
    }
    byte[] frame = new byte[out.position()];
    out.flip().get(frame);
    return frame;
  }

  private static byte[] wrongHead(SplittableRandom random, byte[] frame) {
    frame[random.nextInt(Math.min(frame.length, 14))] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    return frame;
  }

  /// A length of any size, up to those that are negative for Java.
  private static byte[] lying(SplittableRandom random, byte[] text) {
    long length = random.nextLong() >>> random.nextInt(Long.SIZE);
    byte[] head =
        ByteBuffer.allocate(14)
            .put((byte) (LAST | FrameHeader.TEXT))
            .put((byte) (MASKED | IN_64_BITS))
            .putLong(length)
            .putInt(0)
            .array();
    return join(head, text);
  }

  private static byte[] join(byte[] one, byte[] other) {
    return ByteBuffer.allocate(one.length + other.length).put(one).put(other).array();
  }
}
