package io.confab.socket;

import io.confab.feed.Guarded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// Flushes each socket that was written to once a turn of the event loop: the kernel's cost is
/// by flush, not by frame.
final class Flushes {
  private final Executor endOfTurn;
  private List<SocketChannel> dirty = new ArrayList<>();

  Flushes(Executor endOfTurn) {
    this.endOfTurn = endOfTurn;
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
    dirty = new ArrayList<>();
    Guarded.each(channels, SocketChannel::flush);
  }
}
