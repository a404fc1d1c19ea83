package io.confab.message;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.room.Restriction;

/// The refusals of `append_messages` and `change_messages`, which decide under the
/// lock of the room.
final class StoredRefusal {
  private StoredRefusal() {}

  /// Reads why a function refused.
  ///
  /// @param waitMs for a sender who is muted or held back by slow mode
  static Refusal of(String outcome, long waitMs) {
    return switch (outcome) {
      case "muted" -> Restriction.muted(waitMs);
      case "slow_mode" -> Restriction.slowMode(waitMs);
      case "blocked" -> Restriction.blocked();
      case "no_seat" -> Restriction.noSeat();
      case "not_found" -> Refusal.noSuchRoom();
      case "forbidden" -> new Refusal(ErrorCode.FORBIDDEN, "join the channel first");
      case "archived" -> new Refusal(ErrorCode.CONFLICT, "the room is archived");
      case "encrypted" -> new Refusal(ErrorCode.ENCRYPTED, "the room is sealed");
      case "bad_reply" -> Refusal.invalidField("reply_to", "the room has no such message");
      case "no_message" -> new Refusal(ErrorCode.NOT_FOUND, "the room has no such message");
      case "not_yours" -> new Refusal(ErrorCode.FORBIDDEN, "the message is somebody else's");
      case "gone" -> new Refusal(ErrorCode.GONE, "the message is deleted");
      case "mismatch" ->
          new Refusal(ErrorCode.IDEMPOTENCY_MISMATCH, "this client_id was used for something else");
      default -> throw new IllegalStateException("the database answered " + outcome);
    };
  }
}
