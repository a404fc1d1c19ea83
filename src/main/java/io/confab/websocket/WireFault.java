package io.confab.websocket;

import io.confab.protocol.CloseCode;

/// What a client sent cannot be read, nor what comes after it: the socket closes. It carries no
/// stack.
public final class WireFault extends RuntimeException {
  private final CloseCode code;

  public WireFault(CloseCode code, String reason) {
    super(reason, null, false, false);
    this.code = code;
  }

  public CloseCode code() {
    return code;
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
