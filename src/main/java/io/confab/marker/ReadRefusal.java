package io.confab.marker;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;

/// What `read_refused` says, as clients get it.
final class ReadRefusal {
  private ReadRefusal() {}

  static Refusal of(String outcome) {
    return switch (outcome) {
      case "forbidden" -> new Refusal(ErrorCode.FORBIDDEN, "not allowed in this room");
      case "no_seat" -> new Refusal(ErrorCode.NO_SEAT, "you are not inside this room");
      default -> Refusal.noSuchRoom();
    };
  }
}
