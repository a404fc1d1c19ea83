package io.confab.listener;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Map;

/// How much heap parts of requests take, at most.
final class HeadBytes {
  /// A field and its objects, without its characters.
  private static final int FIELD = 224;

  private static final int REQUEST = 512;

  private HeadBytes() {}

  /// Of lines that were read, each of which may be a field.
  static int ofLines(ByteBuf read, int from, int to) {
    int lines = 0;
    for (int i = from; i < to; i++) {
      lines += read.getByte(i) == '\n' ? 1 : 0;
    }
    return to - from + lines * FIELD;
  }

  /// Of a head as a whole, or of a piece of a body.
  static int of(Object part) {
    int bytes = part instanceof HttpContent content ? content.content().readableBytes() : 0;
    if (part instanceof HttpRequest request) {
      bytes += REQUEST + request.uri().length();
      for (Map.Entry<String, String> field : request.headers()) {
        bytes += FIELD + field.getKey().length() + field.getValue().length();
      }
    }
    return bytes;
  }
}
