package io.confab.cli;

import java.io.IOException;

/// A command failed for a reason that may pass by itself.
public final class TryAgainException extends IOException {
  private static final long serialVersionUID = 1;

  public TryAgainException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
