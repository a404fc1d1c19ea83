package io.confab.websocket;

import io.confab.protocol.CloseCode;
import io.confab.protocol.Utf8;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads what one client sends (RFC 6455 §5). Limits hold before anything is kept: a frame that
/// is too large, for itself or for the message that it goes on with, is refused by its head.
public final class MessageReader {
  private static final int CODE_BYTES = 2;

  private int mostBytes;
  private @Nullable Partial partial;

  /// @param mostBytes of a message, however many frames it has
  public MessageReader(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  public void limit(int bytes) {
    mostBytes = bytes;
  }

  /// Reads one frame and moves behind it; null while it is not there as a whole. Throws
  /// [WireFault], after which nothing can be read any more.
  public @Nullable Incoming read(ByteBuf in) {
    FrameHeader header = FrameHeader.peek(in);
    if (header == null) {
      return null;
    }
    if (!header.isControl()) {
      checkData(header);
    }
    if (in.readableBytes() - header.bytes() < header.payload()) {
      return null;
    }
    in.skipBytes(header.bytes());
    byte[] payload = new byte[(int) header.payload()];
    in.readBytes(payload);
    unmask(payload, header.mask());
    return switch (header.opcode()) {
      case FrameHeader.PING -> new Incoming.Ping(payload);
      case FrameHeader.PONG -> new Incoming.Pong();
      case FrameHeader.CLOSE -> close(payload);
      default -> data(header, payload);
    };
  }

  private void checkData(FrameHeader header) {
    boolean goesOn = header.opcode() == FrameHeader.CONTINUATION;
    if (goesOn && partial == null) {
      throw FrameHeader.malformed("a continuation without a beginning");
    }
    if (!goesOn && partial != null) {
      throw FrameHeader.malformed("a message begins within another");
    }
    int before = partial == null ? 0 : partial.bytes();
    if (header.payload() > mostBytes - before) {
      throw new WireFault(CloseCode.TOO_LARGE, "at most " + mostBytes + " bytes");
    }
  }

  private static void unmask(byte[] payload, int mask) {
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= (byte) (mask >> (Byte.SIZE * (3 - (i & 3))));
    }
  }

  private Incoming data(FrameHeader header, byte[] payload) {
    Partial before = partial;
    if (before == null && header.isLast()) {
      return header.opcode() == FrameHeader.TEXT
          ? new Incoming.Text(text(payload))
          : new Incoming.Binary(payload);
    }
    Partial message = before == null ? begin(header) : before;
    message.add(payload, header.isLast());
    partial = header.isLast() ? null : message;
    return header.isLast() ? message.whole() : new Incoming.Part();
  }

  private static Partial begin(FrameHeader header) {
    return header.opcode() == FrameHeader.TEXT ? new PartialText() : new PartialBinary();
  }

  /// An empty one, or a code that may stand on the wire and a reason (RFC 6455 §7.4).
  private static Incoming.Close close(byte[] payload) {
    if (payload.length == 1) {
      throw FrameHeader.malformed("a close of one byte");
    }
    if (payload.length > 0) {
      int code = Short.toUnsignedInt(ByteBuffer.wrap(payload).getShort());
      boolean registered = code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
      if (!registered && (code < 3000 || code > 4999)) {
        throw FrameHeader.malformed("a close code that may not be sent");
      }
      text(Arrays.copyOfRange(payload, CODE_BYTES, payload.length));
    }
    return new Incoming.Close(payload);
  }

  private static String text(byte[] bytes) {
    try {
      return Utf8.text(bytes);
    } catch (CharacterCodingException _) {
      throw PartialText.notUtf8();
    }
  }
}
