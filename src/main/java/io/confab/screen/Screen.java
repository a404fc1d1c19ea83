package io.confab.screen;

import java.io.PrintWriter;

/// Prints lines and, on a real terminal, one line of status below them that each new status
/// replaces. For any thread.
public final class Screen {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final String CLEAR_LINE_ABOVE = "\u001b[1A\u001b[2K\r";

  private final PrintWriter out;
  private final boolean terminal;
  private boolean status;

  /// @param terminal whether a person looks at it, so that lines may be overwritten
  public Screen(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  public boolean isTerminal() {
    return terminal;
  }

  /// Prints one line, which must be safe to print.
  public synchronized void line(String line) {
    clearStatus();
    out.println(line);
    out.flush();
  }

  /// Replaces the status; does nothing where it is not a terminal.
  public synchronized void status(String text) {
    if (terminal) {
      out.print(CLEAR_LINE + text);
      out.flush();
      status = true;
    }
  }

  /// Removes the status.
  public synchronized void clearStatus() {
    if (status) {
      out.print(CLEAR_LINE);
      out.flush();
      status = false;
    }
  }

  /// Removes the line that was just typed, which is about to be printed in another form.
  public synchronized void clearTyped() {
    if (terminal) {
      clearStatus();
      out.print(CLEAR_LINE_ABOVE);
      out.flush();
    }
  }
}
