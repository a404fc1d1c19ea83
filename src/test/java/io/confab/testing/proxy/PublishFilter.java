package io.confab.testing.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;

/// Loses publications on the way to Redis: the channel of a PUBLISH becomes one that nobody
/// listens to, so that its answer still comes. Commands are arrays of bulk strings (Redis
/// serialization protocol specification).
public final class PublishFilter implements Filter {
  private static final String PUBLISH = "PUBLISH";

  private final Predicate<String> lost;
  private byte[] held = new byte[0];
  private int at;

  /// @param lost is asked once for each publication, by its channel
  public PublishFilter(Predicate<String> lost) {
    this.lost = lost;
  }

  @Override
  public byte[] toServer(byte[] bytes) {
    held = Filter.join(held, bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream(held.length);
    int begin = 0;
    at = 0;
    while (at < held.length && command()) {
      out.write(held, begin, at - begin);
      begin = at;
    }
    held = Arrays.copyOfRange(held, begin, held.length);
    return out.toByteArray();
  }

  /// Goes to the end of the command that begins here; false when that is not there yet.
  private boolean command() {
    int parts = number('*');
    String name = "";
    int channel = at;
    int end = at;
    for (int part = 0; part < parts; part++) {
      int length = number('$');
      if (length < 0 || at + length + 2 > held.length) {
        return false;
      }
      if (part == 0) {
        name = text(at, at + length);
      } else if (part == 1) {
        channel = at;
        end = at + length;
      }
      at += length + 2;
    }
    if (name.equalsIgnoreCase(PUBLISH) && lost.test(text(channel, end))) {
      Arrays.fill(held, channel, end, (byte) '-');
    }
    return parts >= 0;
  }

  private String text(int from, int to) {
    return new String(held, from, to - from, StandardCharsets.UTF_8);
  }

  /// The number of a line that begins with this sign, or -1 when its end is not there.
  private int number(char sign) {
    int end = at;
    while (end + 1 < held.length && !(held[end] == '\r' && held[end + 1] == '\n')) {
      end++;
    }
    if (end + 1 >= held.length) {
      return -1;
    }
    if (held[at] != sign) {
      throw new IllegalStateException("no command of Redis: " + (char) held[at]);
    }
    int number = Integer.parseInt(text(at + 1, end));
    at = end + 2;
    return number;
  }
}
