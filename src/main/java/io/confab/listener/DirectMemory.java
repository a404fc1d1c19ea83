package io.confab.listener;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;

/// The memory of buffers outside of the heap: what waits for connections and what is read from
/// them. Netty counts it, and refuses what is beyond the bound.
public final class DirectMemory {
  /// With less a start hangs: its connections get no buffers.
  private static final long LEAST = 2 << 20;

  /// Whether Netty tells the flight recorder of its buffers.
  private static final String EVENTS = "io.netty.jfr.enabled";

  private DirectMemory() {}

  /// Has Netty tell the flight recorder nothing of its buffers, unless somebody asks for that by
  /// `-Dio.netty.jfr.enabled=true`: a start would load the recorder for it. To be called before
  /// anything of Netty is.
  public static void tellNobody() {
    if (System.getProperty(EVENTS) == null) {
      System.setProperty(EVENTS, "false");
    }
  }

  /// To be called before a node starts.
  ///
  /// @throws IOException when there is less than even an idle node takes
  public static void require() throws IOException {
    if (most() < LEAST) {
      throw new IOException(
          "A node takes at least %d KiB of direct memory and may have %d KiB."
                  .formatted(LEAST >> 10, most() >> 10)
              + " JDK_JAVA_OPTIONS gives it more: -XX:MaxDirectMemorySize=…");
    }
  }

  /// Bytes that are allocated: of buffers that are parts of a larger one, the larger one.
  public static long used() {
    return PlatformDependent.usedDirectMemory();
  }

  /// The bound (`-XX:MaxDirectMemorySize`); where nothing is said of it, as much as for the heap.
  public static long most() {
    return PlatformDependent.maxDirectMemory();
  }
}
