package io.confab.message;

import io.confab.feed.Event;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Message;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.room.Restriction;

/// What the storing transaction decided about one edit or deletion.
sealed interface ChangeOutcome {
  /// It is made.
  ///
  /// @param ts of the change, in milliseconds since 1970 by PostgreSQL's clock
  /// @param message as it stands now
  record Made(Rev rev, long ts, Message message) implements ChangeOutcome {
    /// What the members are told.
    Event event(MessageChange change, Epoch epoch) {
      return Event.of(
          new EventFrames.Stamp(change.roomId(), rev, epoch, change.caller(), ts),
          switch (change) {
            case MessageChange.Edit _ -> new RoomChange.MessageEdited(message);
            case MessageChange.Deletion(_, var seq, var caller) ->
                new RoomChange.MessageDeleted(seq, caller);
          });
    }
  }

  /// An earlier try had made it.
  ///
  /// @param rev of that try
  record Known(Rev rev, Message message) implements ChangeOutcome {}

  /// It may not be made: no number was spent and no key written.
  record Refused(Refusal reason) implements ChangeOutcome {}

  /// Reads why `edit_message` or `delete_message` refused.
  ///
  /// @param waitMs of one who is muted
  static Refused refused(String outcome, long waitMs) {
    return new Refused(
        switch (outcome) {
          case "mismatch" ->
              new Refusal(
                  ErrorCode.IDEMPOTENCY_MISMATCH, "this client_id was used for something else");
          case "muted" -> Restriction.muted(waitMs);
          case "blocked" -> Restriction.blocked();
          case "not_found" -> new Refusal(ErrorCode.NOT_FOUND, "no such room");
          case "forbidden" -> new Refusal(ErrorCode.FORBIDDEN, "join the channel first");
          case "archived" -> new Refusal(ErrorCode.CONFLICT, "the room is archived");
          case "no_message" -> new Refusal(ErrorCode.NOT_FOUND, "the room has no such message");
          case "not_yours" -> new Refusal(ErrorCode.FORBIDDEN, "the message is somebody else's");
          case "gone" -> new Refusal(ErrorCode.GONE, "the message is deleted");
          default -> throw new IllegalStateException("a change of a message answered " + outcome);
        });
  }
}
