package io.confab.protocol;

/// Why the server closes a socket, and whether the client should come back by itself.
public enum CloseCode {
  NORMAL(1000, Return.NEVER),
  /// A frame that breaks RFC 6455.
  MALFORMED(1002, Return.NEVER),
  NOT_UTF_8(1007, Return.NEVER),
  TOO_LARGE(1009, Return.NEVER),
  GOING_AWAY(4000, Return.SPREAD),
  TOO_SLOW(4001, Return.AT_ONCE),
  RESYNC(4002, Return.SPREAD),
  INTERNAL(4003, Return.SPREAD),
  NO_BEAT(4004, Return.AT_ONCE),
  AUTHENTICATE(4401, Return.AT_ONCE),
  DISPLACED(4409, Return.NEVER),
  PROTOCOL(4500, Return.NEVER),
  REVOKED(4501, Return.NEVER),
  SUSPENDED(4502, Return.NEVER),
  SUBPROTOCOL(4503, Return.NEVER);

  private enum Return {
    NEVER,
    AT_ONCE,
    /// What befalls many at once must not bring them back at once.
    SPREAD
  }

  private final int code;
  private final Return comes;

  CloseCode(int code, Return comes) {
    this.code = code;
    this.comes = comes;
  }

  public int code() {
    return code;
  }

  /// Whether the client may reconnect and resume.
  public boolean resume() {
    return comes != Return.NEVER;
  }

  /// Whether clients should come back each at a time of its own.
  public boolean spread() {
    return comes == Return.SPREAD;
  }
}
