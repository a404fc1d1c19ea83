package io.confab.listener;

import io.netty.util.internal.PlatformDependent;

/// The memory of buffers outside of the heap: what waits for connections and what is read from
/// them. Netty counts it, and refuses what is beyond the bound.
public final class DirectMemory {
  private DirectMemory() {}

  /// Bytes that are allocated: of buffers that are parts of a larger one, the larger one.
  public static long used() {
    return PlatformDependent.usedDirectMemory();
  }

  /// The bound (`-XX:MaxDirectMemorySize`); where nothing is said of it, as much as for the heap.
  public static long most() {
    return PlatformDependent.maxDirectMemory();
  }
}
