package io.confab.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/// Texts as stanzas of an XML stream over TCP (RFC 6120): the head of a stream is a text of its
/// own, and so is every whole element in it.
final class XmppFraming implements Framing {
  private static final int NONE = -1;

  @Override
  public void begin(Line line) {
    line.opened();
  }

  @Override
  public void read(ByteBuf in, Line line) {
    int begin = in.readerIndex();
    for (int end = end(in, begin); end != NONE; end = end(in, begin)) {
      in.readerIndex(end);
      line.heard(in, begin, end - begin);
      begin = end;
    }
  }

  /// Where the text that begins here ends, or [#NONE].
  private static int end(ByteBuf in, int begin) {
    int depth = 0;
    int at = begin;
    while (true) {
      int open = in.indexOf(at, in.writerIndex(), (byte) '<');
      int close = open < 0 ? NONE : closing(in, open);
      if (close == NONE) {
        return NONE;
      }
      at = close + 1;
      int second = in.getByte(open + 1);
      if (second == '/') {
        depth--;
      } else if (second != '?' && in.getByte(close - 1) != '/') {
        depth++;
      }
      if (second != '?' && (depth <= 0 || isStream(in, open, close))) {
        return at;
      }
    }
  }

  /// The end of a tag, which does not stand in the value of an attribute.
  private static int closing(ByteBuf in, int open) {
    int quote = 0;
    for (int at = open + 1; at < in.writerIndex(); at++) {
      int next = in.getByte(at);
      if (quote == 0 && next == '>') {
        return at;
      }
      if (quote == 0 && (next == '\'' || next == '"')) {
        quote = next;
      } else if (next == quote) {
        quote = 0;
      }
    }
    return NONE;
  }

  /// Whether a tag is the beginning `<stream:stream `.
  private static boolean isStream(ByteBuf in, int open, int close) {
    String name = "<stream:stream ";
    if (close - open < name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (in.getByte(open + i) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public ByteBuf frame(byte[] text, Line line) {
    return Unpooled.wrappedBuffer(text);
  }
}
