package io.confab.socket;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;

/// Flushes each socket that was written to once a turn of the event loop: the kernel's cost is by
/// flush, not by frame.
final class Flushes {
  private final Context context;
  private List<SocketChannel> dirty = new ArrayList<>();

  Flushes(Context context) {
    this.context = context;
  }

  /// Flushes the socket at the end of this turn; it asks once until then.
  void add(SocketChannel channel) {
    if (dirty.isEmpty()) {
      context.runOnContext(_ -> flush());
    }
    dirty.add(channel);
  }

  private void flush() {
    List<SocketChannel> channels = dirty;
    dirty = new ArrayList<>();
    channels.forEach(SocketChannel::flush);
  }
}
