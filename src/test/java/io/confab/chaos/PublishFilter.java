package io.confab.chaos;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Loses publications of rooms' events on the way to Redis: the channel of a PUBLISH becomes
/// one that nobody listens to, so that its answer still comes. Commands are arrays of bulk
/// strings (Redis serialization protocol specification).
final class PublishFilter implements Filter {
  private static final String PUBLISH = "PUBLISH";

  private final Drops drops;
  private byte[] held = new byte[0];
  private int at;

  PublishFilter(Drops drops) {
    this.drops = drops;
  }

  @Override
  public byte[] through(byte[] bytes) {
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
    boolean publish = false;
    for (int part = 0; part < parts; part++) {
      int length = number('$');
      if (length < 0 || at + length + 2 > held.length) {
        return false;
      }
      if (part == 0) {
        publish = isPublish(length);
      } else if (part == 1
          && publish
          && isOfRoom(length)
          && isWhole(parts - 2, at + length + 2)
          && drops.take()) {
        Arrays.fill(held, at, at + length, (byte) '-');
      }
      at += length + 2;
    }
    return parts >= 0;
  }

  private boolean isPublish(int length) {
    return length == PUBLISH.length()
        && new String(held, at, length, StandardCharsets.US_ASCII).equalsIgnoreCase(PUBLISH);
  }

  /// Nodes publish other things too, by which they notice what is lost.
  private boolean isOfRoom(int length) {
    return new String(held, at, length, StandardCharsets.UTF_8).startsWith("room:");
  }

  /// Whether so many further parts are there.
  private boolean isWhole(int parts, int from) {
    int here = at;
    at = from;
    boolean whole = true;
    for (int i = 0; i < parts && whole; i++) {
      int length = number('$');
      whole = length >= 0 && at + length + 2 <= held.length;
      at += Math.max(length, 0) + 2;
    }
    at = here;
    return whole;
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
    int number =
        Integer.parseInt(new String(held, at + 1, end - at - 1, StandardCharsets.US_ASCII));
    at = end + 2;
    return number;
  }
}
