package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.protocol.ErrorCode;
import io.confab.screen.Plain;

/// Why something was refused, with what a person can do about it where there is something.
final class Reasons {
  private Reasons() {}

  /// Safe to print.
  static String of(Throwable failure) {
    return failure instanceof ApiException refusal && refusal.is(ErrorCode.NO_SEAT)
        ? "you are outside of this room; /enter takes a seat, or a place in the line"
        : Plain.line(String.valueOf(failure.getMessage()));
  }
}
