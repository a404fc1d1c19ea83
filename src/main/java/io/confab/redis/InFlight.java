package io.confab.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds what waits for Redis, in commands and in bytes. For any thread.
final class InFlight {
  private final int maxCommands;
  private final long maxBytes;
  private final AtomicInteger commands = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  InFlight(int maxCommands, long maxBytes) {
    this.maxCommands = maxCommands;
    this.maxBytes = maxBytes;
  }

  /// Makes room for one command; false if there is none.
  boolean enter(int size) {
    boolean tooMany = commands.incrementAndGet() > maxCommands;
    boolean tooMuch = bytes.addAndGet(size) > maxBytes;
    if (tooMany || tooMuch) {
      leave(1, size);
      return false;
    }
    return true;
  }

  /// Whether less than half of what may wait does.
  boolean isCalm() {
    return commands.get() < maxCommands / 2 && bytes.get() < maxBytes / 2;
  }

  void leave(int count, long size) {
    commands.addAndGet(-count);
    bytes.addAndGet(-size);
  }
}
