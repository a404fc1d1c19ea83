package io.confab.config;

/// How the heap is shared out among what grows with what people do. Each part is a bound in bytes
/// for the whole node; docs/architecture.md has them all.
///
/// @param heap the most that the heap may take (`-Xmx`)
public record MemoryShares(long heap) {
  private static final int PARTS = 16;

  /// Those of this process.
  public static MemoryShares ofProcess() {
    return new MemoryShares(Runtime.getRuntime().maxMemory());
  }

  /// Events that feeds remember and hold.
  public long feeds() {
    return heap / PARTS;
  }

  /// Messages that wait for the writers.
  public long writers() {
    return heap / PARTS;
  }

  /// Answers over HTTP that are made and not sent yet.
  public long answers() {
    return heap / PARTS;
  }
}
