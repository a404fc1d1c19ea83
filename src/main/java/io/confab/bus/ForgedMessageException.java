package io.confab.bus;

/// Thrown for a message of the bus that no node of this installation has sent, or not now, or not
/// to where it came.
final class ForgedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ForgedMessageException(String message) {
    super(message);
  }

  ForgedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
