package io.confab.socket;

import io.confab.feed.Guarded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// Flushes each socket that was written to once a turn of the event loop: the kernel's cost is
/// by flush, not by frame. It knows how much waits for all sockets of the loop together, frames
/// that several share counted for each.
final class Flushes {
  private final Executor endOfTurn;
  private final long mostBytes;
  private long waiting;
  private List<SocketChannel> dirty = new ArrayList<>();

  /// Empty; takes the place of the other one at each flush.
  private List<SocketChannel> spare = new ArrayList<>();

  /// @param mostBytes that wait for all sockets of the loop before each may have few only
  Flushes(Executor endOfTurn, long mostBytes) {
    this.endOfTurn = endOfTurn;
    this.mostBytes = mostBytes;
  }

  /// For a socket so many more bytes wait than when it said so the last time.
  void waits(long more) {
    waiting += more;
  }

  /// Whether so much waits that sockets which take nothing must not be given more.
  boolean isTight() {
    return waiting > mostBytes;
  }

  /// Flushes the socket at the end of this turn; it asks once until then.
  void add(SocketChannel channel) {
    if (dirty.isEmpty()) {
      endOfTurn.execute(this::flush);
    }
    dirty.add(channel);
  }

  private void flush() {
    List<SocketChannel> channels = dirty;
    dirty = spare;
    Guarded.each(channels, SocketChannel::flush);
    channels.clear();
    spare = channels;
  }
}
