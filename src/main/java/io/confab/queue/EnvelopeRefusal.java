package io.confab.queue;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.Refusal;
import io.confab.room.Restriction;
import java.util.List;

/// The refusals of `append_envelopes`, which decides under the locks of room and queues.
final class EnvelopeRefusal {
  private EnvelopeRefusal() {}

  /// Reads why the function refused.
  ///
  /// @param waitMs for a sender who is muted or held back by slow mode
  /// @param present the devices of the room, where the sender knows others
  static Refusal of(String outcome, long waitMs, List<PresentDevice> present) {
    return switch (outcome) {
      case "device_mismatch" -> Refusal.deviceMismatch(present);
      case "bad_target" ->
          Refusal.invalidField("envelopes", "are for devices that do not get this send");
      case "muted" -> Restriction.muted(waitMs);
      case "slow_mode" -> Restriction.slowMode(waitMs);
      case "blocked" -> Restriction.blocked();
      case "not_found" -> Refusal.noSuchRoom();
      case "forbidden" -> new Refusal(ErrorCode.FORBIDDEN, "join the channel first");
      case "archived" -> new Refusal(ErrorCode.CONFLICT, "the room is archived");
      case "not_sealed" -> new Refusal(ErrorCode.CONFLICT, "the room is not sealed");
      case "not_open" ->
          new Refusal(ErrorCode.CONFLICT, "this device was away for long: open its queue first");
      case "no_keys" -> new Refusal(ErrorCode.CONFLICT, "this device has no keys");
      case "mismatch" ->
          new Refusal(ErrorCode.IDEMPOTENCY_MISMATCH, "this client_id was used for something else");
      default -> throw new IllegalStateException("the database answered " + outcome);
    };
  }
}
