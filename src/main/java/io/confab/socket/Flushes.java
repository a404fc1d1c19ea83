package io.confab.socket;

import io.netty.channel.Channel;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;

/// Flushes each channel that was written to once a turn of the event loop: the kernel's cost is
/// by flush, not by frame.
final class Flushes {
  private final Context context;
  private List<Channel> dirty = new ArrayList<>();

  Flushes(Context context) {
    this.context = context;
  }

  /// The caller marks a channel once until it is flushed.
  void add(Channel channel) {
    if (dirty.isEmpty()) {
      context.runOnContext(_ -> flush());
    }
    dirty.add(channel);
  }

  private void flush() {
    List<Channel> channels = dirty;
    dirty = new ArrayList<>();
    channels.forEach(Channel::flush);
  }
}
