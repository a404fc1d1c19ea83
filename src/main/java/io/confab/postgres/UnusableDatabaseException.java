package io.confab.postgres;

/// A database that a node must not work with; the message says what an operator can do.
public final class UnusableDatabaseException extends RuntimeException {
  UnusableDatabaseException(String message) {
    super(message);
  }

  UnusableDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}
