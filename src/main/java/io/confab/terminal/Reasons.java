package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.protocol.ErrorCode;
import io.confab.screen.Plain;

/// Why something was refused, with what a person can do about it where there is something.
final class Reasons {
  private Reasons() {}

  /// Safe to print.
  static String of(Throwable failure) {
    if (failure instanceof ApiException refusal) {
      if (refusal.is(ErrorCode.NO_SEAT)) {
        return "you are outside of this room; /enter takes a seat, or a place in the line";
      }
      if (refusal.is(ErrorCode.ENCRYPTED)) {
        return "this room was sealed meanwhile; say it again, and it goes out sealed";
      }
    }
    return Plain.line(String.valueOf(failure.getMessage()));
  }
}
