package io.confab.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/// Makes frames as a client sends them, well-formed or not.
public final class Frames {
  public static final int LAST = 0x80;
  private static final int MASK = 0x37fa213d;

  private Frames() {}

  public static ByteBuf text(String text) {
    return frame(LAST | FrameHeader.TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /// @param first FIN, reserved bits and opcode
  public static ByteBuf frame(int first, byte... payload) {
    ByteBuf frame = Unpooled.buffer().writeByte(first);
    if (payload.length < 126) {
      frame.writeByte(0x80 | payload.length);
    } else if (payload.length < 65_536) {
      frame.writeByte(0x80 | 126).writeShort(payload.length);
    } else {
      frame.writeByte(0x80 | 127).writeLong(payload.length);
    }
    frame.writeInt(MASK);
    for (int i = 0; i < payload.length; i++) {
      frame.writeByte(payload[i] ^ (MASK >> (24 - 8 * (i % 4))));
    }
    return frame;
  }

  public static ByteBuf bytes(int... bytes) {
    ByteBuf buffer = Unpooled.buffer();
    for (int b : bytes) {
      buffer.writeByte(b);
    }
    return buffer;
  }
}
