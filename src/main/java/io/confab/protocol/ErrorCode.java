package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// The one catalogue of errors, for socket and HTTP alike.
public enum ErrorCode {
  INVALID_JSON(400, false),
  INVALID_FIELD(400, false),
  UNKNOWN_TYPE(400, false),
  TOO_LARGE(413, false),
  UNAUTHORIZED(401, false),
  TOKEN_EXPIRED(401, false),
  FORBIDDEN(403, false),
  MUTED(403, true),
  BANNED(403, false),
  BLOCKED(403, false),
  ROOM_FULL(403, false),
  NO_SEAT(403, false),
  NOT_FOUND(404, false),
  CONFLICT(409, false),
  IDEMPOTENCY_MISMATCH(409, false),
  GONE(410, false),
  SLOW_MODE(429, true),
  RATE_LIMITED(429, true),
  UNAVAILABLE(503, true),
  INTERNAL(500, true);

  private final int httpStatus;
  private final boolean retryable;
  private final String wire = name().toLowerCase(Locale.ROOT);

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

  /// The name on the wire.
  @JsonValue
  public String wire() {
    return wire;
  }
}
