package io.confab.socket;

import io.confab.protocol.CloseCode;

/// What a client sent cannot be read, nor what comes after it: the socket closes. It carries no
/// stack.
final class WireFault extends RuntimeException {
  private final CloseCode code;

  WireFault(CloseCode code, String reason) {
    super(reason, null, false, false);
    this.code = code;
  }

  CloseCode code() {
    return code;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
