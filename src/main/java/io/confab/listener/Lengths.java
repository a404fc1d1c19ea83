package io.confab.listener;

import io.netty.buffer.ByteBuf;

/// Follows messages in a stream of bytes, each of which begins with a head whose last bytes are its
/// length. Belongs to one connection.
final class Lengths {
  private final int headLength;
  private final int mask;
  private final int most;
  private int head;
  private int headBytes;
  private int length;
  private int awaited;
  private boolean whole;

  /// @param headLength in bytes
  /// @param mask which bits of the last four bytes of the head are the length
  /// @param most that a length may say
  Lengths(int headLength, int mask, int most) {
    this.headLength = headLength;
    this.mask = mask;
    this.most = most;
  }

  /// Answers whether every message is within the bound, and notes whether one was completed.
  boolean follow(ByteBuf read) {
    whole = false;
    int end = read.writerIndex();
    int i = read.readerIndex();
    while (i < end) {
      if (awaited > 0) {
        int passed = Math.min(awaited, end - i);
        awaited -= passed;
        whole |= awaited == 0;
        i += passed;
      } else {
        head = (head << Byte.SIZE) | (read.getByte(i++) & 0xff);
        headBytes++;
      }
      if (headBytes == headLength) {
        length = head & mask;
        if (length < 0 || length > most) {
          return false;
        }
        awaited = length;
        head = 0;
        headBytes = 0;
      }
    }
    return true;
  }

  /// Whether a message was completed by what was followed last.
  boolean whole() {
    return whole;
  }

  /// How much has come of a message that is not there as a whole, its head included while that is
  /// not.
  int unfinished() {
    return headBytes + (awaited == 0 ? 0 : length - awaited);
  }
}
