package io.confab.screen;

import java.io.PrintWriter;

/// A screen that shows everything in the order in which it comes; the line of status stands below.
public final class PlainScreen implements Screen {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private boolean status;

  /// @param terminal whether a person looks at it, so that lines may be overwritten
  public PlainScreen(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public boolean isTerminal() {
    return terminal;
  }

  @Override
  public synchronized void line(String line) {
    clearStatus();
    out.println(line);
    out.flush();
  }

  @Override
  public synchronized void status(String text) {
    if (terminal) {
      out.print(CLEAR_LINE + text);
      out.flush();
      status = true;
    }
  }

  @Override
  public synchronized void clearStatus() {
    if (status) {
      out.print(CLEAR_LINE);
      out.flush();
      status = false;
    }
  }
}
