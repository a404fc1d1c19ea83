package io.confab.protocol;

/// Why the server closes a socket, and whether the client should come back by itself.
public enum CloseCode {
  /// The client said `bye`.
  NORMAL(1000, Return.NEVER),
  /// A frame that breaks RFC 6455.
  MALFORMED(1002, Return.NEVER),
  /// Text that is not UTF-8.
  NOT_UTF_8(1007, Return.NEVER),
  /// A frame, or the frames of one message together, over the limit.
  TOO_LARGE(1009, Return.NEVER),
  /// The node stops or is cut off, or could not serve `hello` now. Another node may.
  GOING_AWAY(4000, Return.SPREAD),
  /// The client took nothing off its socket for too long.
  TOO_SLOW(4001, Return.AT_ONCE),
  /// The epoch changed, or too much changed before the first `resume`: `welcome` is outdated. Or
  /// the rooms that are watched have got more members than the node has room for.
  RESYNC(4002, Return.SPREAD),
  /// The server met a bug while it answered `hello`.
  INTERNAL(4003, Return.SPREAD),
  /// No frame, not even a pong, came in time.
  NO_BEAT(4004, Return.AT_ONCE),
  /// No `hello` came in time, or the credentials are not valid: return with a new token.
  AUTHENTICATE(4401, Return.AT_ONCE),
  /// The same device has a newer socket.
  DISPLACED(4409, Return.NEVER),
  /// A binary message, a frame before `hello`, a refused `hello`, or a message without end.
  PROTOCOL(4500, Return.NEVER),
  /// The sign-in has ended: the person signs in anew.
  REVOKED(4501, Return.NEVER),
  /// The account is suspended.
  SUSPENDED(4502, Return.NEVER),
  /// The upgrade did not name the subprotocol `confab.v1`.
  SUBPROTOCOL(4503, Return.NEVER);

  private enum Return {
    /// Only when a person asks for it, or after the client was mended.
    NEVER,
    AT_ONCE,
    /// Clients that were disconnected together must not reconnect together.
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
