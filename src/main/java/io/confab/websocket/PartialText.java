package io.confab.websocket;

import io.confab.protocol.CloseCode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/// The text of a message that comes in several frames; a character may lie across two of them.
final class PartialText implements Partial {
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final StringBuilder text = new StringBuilder();
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private int bytes;

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public Incoming whole() {
    return new Incoming.Text(text.toString());
  }

  /// As soon as what is there cannot become UTF-8 it is a fault.
  @Override
  public void add(byte[] payload, boolean last) {
    bytes += payload.length;
    ByteBuffer in = ByteBuffer.allocate(rest.remaining() + payload.length);
    in.put(rest).put(payload).flip();
    CharBuffer out = CharBuffer.allocate(in.remaining()); // a character takes a byte at least
    CoderResult result = decoder.decode(in, out, last);
    if (result.isError()) {
      throw notUtf8();
    }
    rest = in.slice();
    text.append(out.flip());
  }

  static WireFault notUtf8() {
    return new WireFault(CloseCode.NOT_UTF_8, "text that is not UTF-8");
  }
}
