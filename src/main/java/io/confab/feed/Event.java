package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import org.jspecify.annotations.Nullable;

/// A numbered change of a room, encoded once for everybody.
///
/// @param departure present when the change ends a membership
/// @param frame the frame that sessions get, JSON in UTF-8; nobody may change it
public record Event(
    RoomId room, Epoch epoch, Rev rev, @Nullable Departure departure, byte[] frame) {

  /// A message that was stored.
  public static Event of(Message message, Epoch epoch) {
    return new Event(
        message.roomId(), epoch, message.rev(), null, EventFrames.message(message, epoch));
  }

  /// A change other than a message.
  public static Event of(EventFrames.Stamp stamp, RoomChange change) {
    Departure departure =
        change instanceof RoomChange.MemberLeft(AccountId account, LeaveReason reason)
            ? new Departure(account, reason)
            : null;
    return new Event(
        stamp.roomId(), stamp.epoch(), stamp.rev(), departure, EventFrames.change(stamp, change));
  }

  /// A membership that ends with this event: the account's sessions get `room.removed`
  /// instead of it.
  public record Departure(AccountId account, LeaveReason reason) {}
}
