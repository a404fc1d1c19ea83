package io.confab.limit;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/// Says whether something of somebody is the first within a minute, so that what many do without
/// end is logged a bounded number of times: beyond 100 names a minute nobody is the first. For any
/// thread.
final class OncePerMinute {
  private static final long MINUTE_NS = Duration.ofMinutes(1).toNanos();
  private static final int MOST = 100;

  private final Set<String> names = new HashSet<>();
  private final LongSupplier nanoTime;
  private long begun;

  OncePerMinute(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.begun = nanoTime.getAsLong();
  }

  synchronized boolean isFirst(String who) {
    long now = nanoTime.getAsLong();
    if (now - begun >= MINUTE_NS) {
      begun = now;
      names.clear();
    }
    return names.size() < MOST && names.add(who);
  }
}
