package io.confab.testing.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Says which of many like pieces is to be dropped: the n-th from now on, some number of times.
/// For any thread.
public final class Drops {
  private final AtomicInteger every = new AtomicInteger();
  private final AtomicLong seen = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

  /// Every n-th piece from now on is dropped, so many in all.
  public void arm(int n, int times) {
    seen.set(0);
    left.set(times);
    every.set(n);
  }

  public void disarm() {
    every.set(0);
    left.set(0);
  }

  /// Whether this piece is to be dropped.
  public boolean take() {
    int n = every.get();
    if (n == 0 || seen.incrementAndGet() % n != 0) {
      return false;
    }
    if (left.getAndDecrement() <= 0) {
      disarm();
      return false;
    }
    dropped.incrementAndGet();
    return true;
  }

  /// How many were dropped since the start.
  public long dropped() {
    return dropped.get();
  }
}
