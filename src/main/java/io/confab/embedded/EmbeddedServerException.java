package io.confab.embedded;

/// Says why the data folder cannot be used or an embedded server cannot be started, and what to do
/// about it. The message is for the person at the terminal and holds no secrets.
public final class EmbeddedServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EmbeddedServerException(String message) {
    super(message);
  }

  EmbeddedServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
