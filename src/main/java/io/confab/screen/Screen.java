package io.confab.screen;

/// Prints lines and, on a real terminal, one line of status that each new status replaces. For any
/// thread.
public interface Screen {
  /// Whether a person looks at it, so that a status can be shown.
  boolean isTerminal();

  /// Prints one line, which must be safe to print.
  void line(String line);

  /// Replaces the status; does nothing where it is not a terminal.
  void status(String text);

  /// Removes the status.
  void clearStatus();
}
