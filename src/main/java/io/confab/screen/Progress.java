package io.confab.screen;

/// The progress of work of a known size: a bar on a terminal, else a line at every tenth.
public final class Progress {
  private static final int WIDTH = 30;
  private static final int TENTHS = 10;

  private final Screen screen;
  private final String what;
  private final long total;
  private long done;
  private long shown;

  /// @param what is counted, such as `lines`
  /// @param total may be 0, then nothing is shown
  public Progress(Screen screen, String what, long total) {
    this.screen = screen;
    this.what = what;
    this.total = total;
  }

  /// One more is done. For one thread at a time.
  public void step() {
    done++;
    if (screen.isTerminal()) {
      screen.status(bar());
    } else if (done * TENTHS / total > shown) {
      shown = done * TENTHS / total;
      screen.line("%3d %% (%d of %d %s)".formatted(100 * done / total, done, total, what));
    }
    if (done == total) {
      screen.clearStatus();
    }
  }

  private String bar() {
    int full = (int) (WIDTH * done / total);
    return "[%s%s] %3d %% (%d of %d %s)"
        .formatted(
            "#".repeat(full), "·".repeat(WIDTH - full), 100 * done / total, done, total, what);
  }
}
