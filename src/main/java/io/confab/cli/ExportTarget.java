package io.confab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/// The output of an export. A line that cannot be written fails as [Full], so that the failure is
/// not taken for a lost connection.
final class ExportTarget {
  private static final int CHECKED_EVERY = 1_000;

  private final Writer out;
  private long lines;

  ExportTarget(Writer out) {
    this.out = out;
  }

  /// The output takes no more.
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final IOException why;

    private Full(IOException why) {
      super(why);
      this.why = why;
    }

    IOException why() {
      return why;
    }
  }

  /// Writes one line. For one thread at a time, which it may block.
  void line(String json) {
    try {
      out.write(json);
      out.write('\n');
      if (++lines % CHECKED_EVERY == 0) {
        flush();
      }
    } catch (IOException why) {
      throw new Full(why);
    }
  }

  long lines() {
    return lines;
  }

  /// Fails when a line did not reach the output; a `PrintWriter` reports that only when asked.
  void flush() throws IOException {
    out.flush();
    if (out instanceof PrintWriter quiet && quiet.checkError()) {
      throw new IOException("The export is not whole: its output takes no more.");
    }
  }
}
