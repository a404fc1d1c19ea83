package io.confab.room;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import java.time.Duration;

/// What may keep a member from something that its role allows.
public enum Restriction {
  /// Until a time, by an admin.
  MUTED(ErrorCode.MUTED),
  /// For some seconds after each message, members alone.
  SLOW_MODE(ErrorCode.SLOW_MODE),
  /// In a direct room, as long as one of the two blocks the other. In other rooms it keeps people
  /// from adding somebody who blocks them.
  BLOCKED(ErrorCode.BLOCKED),
  /// In a room with a capacity, from outside. Reading is kept from them unless the room says that
  /// one may read from outside.
  NO_SEAT(ErrorCode.NO_SEAT);

  private final ErrorCode code;

  Restriction(ErrorCode code) {
    this.code = code;
  }

  /// The refusal of a member whom it holds back.
  public ErrorCode code() {
    return code;
  }

  /// @param waitMs how long still
  public static Refusal muted(long waitMs) {
    return new Refusal(
        MUTED.code, null, "an admin muted you in this room", Duration.ofMillis(waitMs));
  }

  /// @param waitMs until the next message
  public static Refusal slowMode(long waitMs) {
    return new Refusal(
        SLOW_MODE.code, null, "too soon after your last message", Duration.ofMillis(waitMs));
  }

  public static Refusal blocked() {
    return new Refusal(BLOCKED.code, "one of you blocks the other");
  }

  public static Refusal noSeat() {
    return new Refusal(NO_SEAT.code, "you are not inside this room");
  }
}
