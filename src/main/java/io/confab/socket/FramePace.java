package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.time.Timers;
import java.time.Duration;
import java.util.function.Supplier;

/// Counts what one client sends beside its requests, and reads from it as slowly as
/// [Limit#FRAMES] says: a flooder fills its own connection, not the event loop.
final class FramePace {
  /// A frame counts once more for each so many characters.
  private static final int LARGE = 4_096;

  /// A client whose limit is very low hears its refusals all the same.
  private static final Duration LONGEST = Duration.ofMillis(100);

  private final Limits limits;
  private final Timers timers;
  private final SocketChannel channel;
  private final Supplier<String> counted;
  private boolean waiting;

  /// @param counted for whom frames count at the moment
  FramePace(Limits limits, Timers timers, SocketChannel channel, Supplier<String> counted) {
    this.limits = limits;
    this.timers = timers;
    this.channel = channel;
    this.counted = counted;
  }

  /// A control frame, a part of a message, or what is no frame at all.
  void count() {
    limits.count(Limit.FRAMES, counted.get());
    keep();
  }

  /// A request; it is counted where it is answered.
  void countSize(int characters) {
    if (characters >= LARGE) {
      limits.count(Limit.FRAMES, counted.get(), characters / LARGE);
    }
    keep();
  }

  private void keep() {
    Duration delay = waiting ? Duration.ZERO : limits.delay(Limit.FRAMES, counted.get());
    if (!delay.isZero()) {
      waiting = true;
      channel.pause();
      timers.after(delay.compareTo(LONGEST) < 0 ? delay : LONGEST, this::goOn);
    }
  }

  private void goOn() {
    waiting = false;
    channel.resume();
  }
}
