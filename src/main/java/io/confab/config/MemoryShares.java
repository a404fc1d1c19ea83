package io.confab.config;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/// How memory is shared out among what grows with what people do. Each part is a bound in bytes
/// for the whole node; docs/architecture.md has them all.
///
/// @param heap the most that the heap may take (`-Xmx`)
/// @param direct the most that buffers outside of it may take (`-XX:MaxDirectMemorySize`)
public record MemoryShares(long heap, long direct) {
  private static final int PARTS = 16;
  private static final int HALF_PARTS = 32;
  private static final int SMALL_PARTS = 64;
  private static final int PARTS_OF_SOCKETS = 4;

  /// Those of this process. Where nothing is said of direct memory it may take what the heap may.
  public static MemoryShares ofProcess() {
    long heap = Runtime.getRuntime().maxMemory();
    long direct =
        Long.parseLong(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue());
    return new MemoryShares(heap, direct == 0 ? heap : direct);
  }

  /// Those of one of so many equal parts of the process.
  public MemoryShares ofEach(int parts) {
    return new MemoryShares(heap / parts, direct / parts);
  }

  /// Events and signals that wait for their event loop.
  public long handover() {
    return heap / SMALL_PARTS;
  }

  /// Pages and parts of recent windows that are being read.
  public long pages() {
    return heap / PARTS;
  }

  /// Events that feeds remember and hold.
  public long feeds() {
    return heap / PARTS;
  }

  /// Messages that wait for the writers.
  public long writers() {
    return heap / PARTS;
  }

  /// Sealed sends that wait for their writers.
  public long sealedWriters() {
    return heap / HALF_PARTS;
  }

  /// Changes of rooms that wait for each other.
  public long roomChanges() {
    return heap / SMALL_PARTS;
  }

  /// What sessions that have not resumed yet are to be told of their rooms.
  public long early() {
    return heap / SMALL_PARTS;
  }

  /// Seats and places of accounts with sessions.
  public long seats() {
    return heap / SMALL_PARTS;
  }

  /// Whom sessions watch, to hear whether they are there.
  public long presence() {
    return heap / PARTS;
  }

  /// What waits to be written to sockets, in direct memory.
  public long sockets() {
    return direct / PARTS_OF_SOCKETS;
  }

  /// Frames of clients that are not there as a whole, in direct memory.
  public long halfFrames() {
    return direct / PARTS_OF_SOCKETS;
  }

  /// Messages of the event bus that have not come as a whole.
  public long busMessages() {
    return heap / PARTS;
  }

  /// What has come of requests over HTTP and is not there as a whole, and requests that wait for
  /// the answer to the one before: partly in direct memory.
  public long unfinishedRequests() {
    return Math.min(heap, direct) / PARTS;
  }

  /// What has come of TLS handshakes and records, partly in direct memory.
  public long unfinishedTls() {
    return Math.min(heap, direct) / PARTS;
  }

  /// Bodies of HTTP requests.
  public long bodies() {
    return heap / PARTS;
  }

  /// Answers over HTTP that are made and not sent yet.
  public long answers() {
    return heap / PARTS;
  }
}
