package io.confab.socket;

import io.confab.time.TimingWheel;
import io.confab.websocket.Output;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Notices a peer that takes nothing of what waits for it. It looks only while something waits.
final class StallWatch {
  private static final int LOOKS = 10;

  private final Output output;
  private final TimingWheel wheel;
  private final Duration timeout;
  private final Runnable looked;
  private final Runnable stalled;
  private boolean watching;
  private @Nullable Object head;
  private long progress;
  private long since;

  /// @param looked is told of each look at what waits
  StallWatch(
      Output output, TimingWheel wheel, Duration timeout, Runnable looked, Runnable stalled) {
    this.looked = looked;
    this.output = output;
    this.wheel = wheel;
    this.timeout = timeout;
    this.stalled = stalled;
  }

  /// To be told of each flush.
  void flushed() {
    if (!watching && hasMoved()) {
      watching = true;
      lookLater();
    }
  }

  private void lookLater() {
    wheel.after(timeout.dividedBy(LOOKS), this::look);
  }

  private void look() {
    hasMoved();
    looked.run();
    if (head == null) {
      watching = false;
    } else if (wheel.nanos() - since > timeout.toNanos()) {
      stalled.run();
    } else {
      lookLater();
    }
  }

  /// Whether what was flushed and waits is not what waited the last time. The last one may have
  /// been released meanwhile: it is not looked into.
  @SuppressWarnings("ReferenceEquality")
  private boolean hasMoved() {
    ChannelOutboundBuffer queue = output.queue();
    Object first = queue == null ? null : queue.current();
    long taken = queue == null || first == null ? 0 : queue.currentProgress();
    if (head == first && taken == progress) {
      return false;
    }
    head = first;
    progress = taken;
    since = wheel.nanos();
    return first != null;
  }
}
