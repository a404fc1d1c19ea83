package io.confab.client.sealed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/// The file of a [SealedStore]: frames ([LogFormat]) that are added at its end.
final class LogFile implements AutoCloseable {
  private final FileChannel channel;
  private long end;

  /// Told of each frame that the file holds.
  @FunctionalInterface
  interface Reader {
    void frame(ByteBuffer frame, long start);
  }

  private LogFile(FileChannel channel) {
    this.channel = channel;
  }

  /// Begins an empty file.
  static LogFile begin(FileChannel channel) throws IOException {
    LogFile log = new LogFile(channel);
    channel.truncate(0);
    log.append(ByteBuffer.wrap(LogFormat.HEAD));
    return log;
  }

  /// Reads a file up to what was not written as a whole, which is cut off. An empty file, or the
  /// beginning of its head, is begun.
  static LogFile read(FileChannel channel, Reader reader) throws IOException {
    byte[] head = new byte[(int) Math.min(channel.size(), LogFormat.HEAD.length)];
    readFully(channel, ByteBuffer.wrap(head), 0);
    if (!Arrays.equals(head, Arrays.copyOf(LogFormat.HEAD, head.length))) {
      throw new DamagedStoreException("It is no store of this version.");
    }
    if (head.length < LogFormat.HEAD.length) {
      LogFile begun = begin(channel);
      begun.flush();
      return begun;
    }
    LogFile log = new LogFile(channel);
    log.end = head.length;
    log.scan(reader);
    return log;
  }

  long end() {
    return end;
  }

  /// Adds to the end; [#flush] keeps it.
  void append(ByteBuffer bytes) throws IOException {
    ByteBuffer rest = bytes.duplicate();
    while (rest.hasRemaining()) {
      end += channel.write(rest, end);
    }
  }

  void flush() throws IOException {
    channel.force(true);
  }

  byte[] value(Slot slot) throws IOException {
    byte[] value = new byte[slot.length()];
    readFully(channel, ByteBuffer.wrap(value), slot.offset());
    return value;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void scan(Reader reader) throws IOException {
    long size = channel.size();
    while (size - end >= LogFormat.FRAME_HEAD) {
      ByteBuffer head = ByteBuffer.allocate(LogFormat.FRAME_HEAD);
      readFully(channel, head, end);
      int length = head.getInt(0);
      long next = end + LogFormat.FRAME_HEAD + length;
      if (length <= 0 || length > LogFormat.MAX_FRAME || next > size) {
        break;
      }
      ByteBuffer frame = ByteBuffer.allocate(LogFormat.FRAME_HEAD + length);
      readFully(channel, frame, end);
      if (LogFormat.checksum(frame) != frame.getInt(Integer.BYTES)) {
        break;
      }
      reader.frame(frame, end);
      end = next;
    }
    if (end < size) {
      cutOff(size);
    }
  }

  /// Only the last transaction can be there in part. It was returned to nobody, so it may go; but
  /// what a whole one follows was.
  private void cutOff(long size) throws IOException {
    if (size - end > LogFormat.FRAME_HEAD + (long) LogFormat.MAX_FRAME || isFollowed(size)) {
      throw new DamagedStoreException("It is damaged at byte " + end + ".");
    }
    channel.truncate(end);
    flush();
  }

  private boolean isFollowed(long size) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate((int) (size - end));
    readFully(channel, rest, end);
    for (int at = 1; at + LogFormat.FRAME_HEAD < rest.limit(); at++) {
      int length = rest.getInt(at);
      if (length > 0 && length <= rest.limit() - at - LogFormat.FRAME_HEAD) {
        ByteBuffer frame = rest.slice(at, LogFormat.FRAME_HEAD + length);
        if (LogFormat.checksum(frame) == frame.getInt(Integer.BYTES)) {
          return true;
        }
      }
    }
    return false;
  }

  private static void readFully(FileChannel channel, ByteBuffer into, long from)
      throws IOException {
    long at = from;
    while (into.hasRemaining()) {
      int count = channel.read(into, at);
      if (count < 0) {
        throw new DamagedStoreException("It ends at byte " + at + ".");
      }
      at += count;
    }
    into.flip();
  }
}
