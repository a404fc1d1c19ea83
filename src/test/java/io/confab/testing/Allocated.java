package io.confab.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// What heap something takes at most: it cannot keep more than was allocated while it was filled.
public final class Allocated {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private Allocated() {}

  /// Bytes that this thread allocates meanwhile.
  public static long by(Runnable filling) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    filling.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
