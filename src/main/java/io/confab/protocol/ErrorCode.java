package io.confab.protocol;

/// The one catalogue of errors, for socket and HTTP alike: when each is sent, and what a client
/// does about it.
public enum ErrorCode implements WireName {
  /// The request is not one JSON object, has a name twice or nests too deep. The client has a bug:
  /// it reports the error and does not repeat the request.
  INVALID_JSON(400, false),
  /// `field` is missing, unknown, or has a wrong type or value. The client corrects that field, or
  /// shows the message to the person who typed it.
  INVALID_FIELD(400, false),
  /// The server knows no frame of this `type`. The client does without it: the server is older than
  /// the client expects.
  UNKNOWN_TYPE(400, false),
  /// A message, field or request body is over its limit. The client shortens or splits it.
  TOO_LARGE(413, false),
  /// There are no credentials, or they are not valid, or the sign-in has ended. The client signs in
  /// anew.
  UNAUTHORIZED(401, false),
  /// The access token was good and has expired. The client refreshes it and repeats the request.
  TOKEN_EXPIRED(401, false),
  /// The caller may know of the thing but lacks the right; or the account is suspended, or the call
  /// is not for this kind of caller. The client does not repeat it.
  FORBIDDEN(403, false),
  /// The member may not speak until `retry_after_ms` has passed. The client keeps the text and says
  /// so.
  MUTED(403, true),
  /// The account may not join this room. The client does not repeat it.
  BANNED(403, false),
  /// One of the two people of a direct room blocks the other. The client does not repeat it.
  BLOCKED(403, false),
  /// The room has `max_members` already. The client may try again when somebody has left.
  ROOM_FULL(403, false),
  /// The account is not inside a room with a capacity. The client enters, and waits for a seat.
  NO_SEAT(403, false),
  /// The thing does not exist, or the caller may not know that it does. The client forgets it.
  NOT_FOUND(404, false),
  /// The path has no such method; `allow` names those that it has. The client has a bug. HTTP only.
  METHOD_NOT_ALLOWED(405, false),
  /// The present state does not allow it: a taken name, an archived room, the last owner, a room
  /// that is live already. The client reads the state before it decides anew.
  CONFLICT(409, false),
  /// The `client_id` was used for something else. The client has a bug, or lost its outbox: it
  /// sends the message with a new `client_id`, if it is still wanted.
  IDEMPOTENCY_MISMATCH(409, false),
  /// The devices of the room are others than the sender named; `devices` has them all. The client
  /// makes what it sends anew for these, with the same `client_id`: nothing was stored.
  DEVICE_MISMATCH(409, true),
  /// The room is sealed: nothing plain is sent or edited there, and history ends where it was
  /// sealed. The client sends envelopes, or says that it cannot.
  ENCRYPTED(409, false),
  /// The message is deleted, or the invitation has expired or is used up. The client removes it
  /// from what it shows; after a deletion whose answer was lost, this is the answer.
  GONE(410, false),
  /// The thing is not as `if-match` says. The client reads it before it decides anew. HTTP only.
  PRECONDITION_FAILED(412, false),
  /// The body of the request is no plain `application/json`. The client has a bug. HTTP only.
  UNSUPPORTED_MEDIA_TYPE(415, false),
  /// The member's last message in this room is too recent. The client sends again after
  /// `retry_after_ms`.
  SLOW_MODE(429, true),
  /// Too many requests; nothing has happened. The client repeats the same request after
  /// `retry_after_ms`, a send with the same `client_id`.
  RATE_LIMITED(429, true),
  /// A server is away or a queue is full; a write may have happened all the same. The client
  /// repeats the request with growing pauses, a send with the same `client_id`.
  UNAVAILABLE(503, true),
  /// The server has a bug; its log has the cause under the request id. The client may repeat the
  /// request as after `unavailable`.
  INTERNAL(500, true);

  private final int httpStatus;
  private final boolean retryable;

  ErrorCode(int httpStatus, boolean retryable) {
    this.httpStatus = httpStatus;
    this.retryable = retryable;
  }

  public int httpStatus() {
    return httpStatus;
  }

  /// Whether the same request may succeed later.
  public boolean retryable() {
    return retryable;
  }
}
