package io.confab.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/// Texts as WebSocket frames (RFC 6455), of which the server's are not masked. The mask of ours is
/// zero, which every server takes and costs nobody the masking.
final class WebSocketFraming implements Framing {
  private static final int FINAL_TEXT = 0x81;
  private static final int FINAL_PONG = 0x8A;
  private static final int PING = 9;
  private static final int CLOSE = 8;
  private static final int MASKED = 0x80;
  private static final int SHORT = 126;
  private static final int LONG = 127;
  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

  private final String request;
  private boolean upgraded;

  /// @param headers further ones, each ended by a line break
  WebSocketFraming(String path, String headers) {
    this.request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            + headers
            + "\r\n";
  }

  @Override
  public void begin(Line line) {
    line.write(line.buffers().buffer().writeBytes(request.getBytes(StandardCharsets.US_ASCII)));
    line.flush();
  }

  @Override
  public void read(ByteBuf in, Line line) {
    if (!upgraded && !upgrade(in, line)) {
      return;
    }
    while (frame(in, line)) {}
  }

  private boolean upgrade(ByteBuf in, Line line) {
    int end = end(in);
    if (end < 0) {
      return false;
    }
    String head = in.readCharSequence(end, StandardCharsets.US_ASCII).toString();
    if (!head.startsWith("HTTP/1.1 101")) {
      line.ears().failed(line, "upgrade refused: " + head.lines().findFirst().orElse(""));
      line.close();
      return false;
    }
    upgraded = true;
    line.opened();
    return true;
  }

  /// How many bytes the head of the answer has; -1 when it is not whole.
  private static int end(ByteBuf in) {
    for (int at = in.readerIndex(); at + HEAD_END.length <= in.writerIndex(); at++) {
      if (in.getByte(at) == HEAD_END[0]
          && in.getByte(at + 1) == HEAD_END[1]
          && in.getByte(at + 2) == HEAD_END[2]
          && in.getByte(at + 3) == HEAD_END[3]) {
        return at + HEAD_END.length - in.readerIndex();
      }
    }
    return -1;
  }

  /// Whether a whole frame was there.
  private static boolean frame(ByteBuf in, Line line) {
    int begin = in.readerIndex();
    int readable = in.readableBytes();
    if (readable < 2) {
      return false;
    }
    int size = in.getByte(begin + 1) & 0x7F;
    int head = size < SHORT ? 2 : size == SHORT ? 4 : 10;
    if (readable < head) {
      return false;
    }
    int length =
        size < SHORT
            ? size
            : size == SHORT
                ? in.getUnsignedShort(begin + 2)
                : Math.toIntExact(in.getLong(begin + 2));
    if (readable - head < length) {
      return false;
    }
    in.readerIndex(begin + head + length);
    switch (in.getByte(begin) & 0x0F) {
      case PING -> pong(in.slice(begin + head, length), line);
      case CLOSE -> closed(in.slice(begin + head, length), line);
      default -> line.heard(in, begin + head, length);
    }
    return true;
  }

  private static void pong(ByteBuf payload, Line line) {
    ByteBuf frame = line.buffers().buffer(payload.readableBytes() + 6);
    frame.writeByte(FINAL_PONG).writeByte(MASKED | payload.readableBytes()).writeInt(0);
    line.write(frame.writeBytes(payload));
    line.flush();
  }

  private static void closed(ByteBuf payload, Line line) {
    line.ears().failed(line, "close " + (payload.readableBytes() < 2 ? "" : payload.getShort(0)));
    line.close();
  }

  @Override
  public ByteBuf frame(byte[] text, Line line) {
    ByteBuf frame = line.buffers().buffer(text.length + 14).writeByte(FINAL_TEXT);
    if (text.length < SHORT) {
      frame.writeByte(MASKED | text.length);
    } else if (text.length <= 0xFFFF) {
      frame.writeByte(MASKED | SHORT).writeShort(text.length);
    } else {
      frame.writeByte(MASKED | LONG).writeLong(text.length);
    }
    return frame.writeInt(0).writeBytes(text);
  }
}
