package io.confab.protocol;

/// Why the server closes a socket, and whether the client should come back by itself.
public enum CloseCode {
  NORMAL(1000, false),
  GOING_AWAY(4000, true),
  TOO_SLOW(4001, true),
  RESYNC(4002, true),
  INTERNAL(4003, true),
  NO_BEAT(4004, true),
  AUTHENTICATE(4401, true),
  DISPLACED(4409, false),
  PROTOCOL(4500, false),
  REVOKED(4501, false),
  SUSPENDED(4502, false),
  SUBPROTOCOL(4503, false);

  private final int code;
  private final boolean resume;

  CloseCode(int code, boolean resume) {
    this.code = code;
    this.resume = resume;
  }

  public int code() {
    return code;
  }

  /// Whether the client may reconnect and resume.
  public boolean resume() {
    return resume;
  }
}
