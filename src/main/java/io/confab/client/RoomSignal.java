package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// How things stand in a room just now: who types, what was received and read, and whether the
/// account is inside where not all can be. A signal has no rev and no place among the updates; one
/// that was missed is made up for by the next one.
public sealed interface RoomSignal {
  RoomId roomId();

  /// How far a member has come: this account, on another of its devices, or, in rooms with
  /// receipts, somebody else.
  ///
  /// @param readSeq absent where the member reads in private
  /// @param unreadFrom from where this account wants to see messages as unread; absent of others
  record Marker(
      RoomId roomId,
      AccountId accountId,
      @Nullable Seq readSeq,
      @Nullable Seq deliveredSeq,
      @Nullable Seq unreadFrom)
      implements RoomSignal {}

  /// Another member has received this message of one's own, and all lower ones.
  record Delivered(RoomId roomId, Seq seq) implements RoomSignal {}

  /// Another member has read this message of one's own, and all lower ones.
  record Read(RoomId roomId, Seq seq) implements RoomSignal {}

  /// Devices of another member acknowledged messages of others in a sealed room: these, and nothing
  /// is said of those before.
  record Arrived(RoomId roomId, AccountId accountId, Seq from, Seq to) implements RoomSignal {}

  /// No device of another member can get this message of one's own in a sealed room any more.
  ///
  /// @param reason `full`, `expired`, `removed` or `undecryptable`; others may come
  record Undelivered(RoomId roomId, AccountId accountId, Seq seq, String reason)
      implements RoomSignal {}

  /// What this account has not read, after something but a new message changed it.
  ///
  /// @param mentions how many of them mention it
  /// @param total in all rooms
  /// @param seq the last message that was looked at: later ones are not counted, earlier ones are,
  ///     also those that are told after this
  record Unread(RoomId roomId, long unread, long mentions, long total, Seq seq)
      implements RoomSignal {}

  /// Somebody else begins or ends to type; told once each.
  record Typing(RoomId roomId, AccountId accountId, boolean typing) implements RoomSignal {}

  /// How this account stands in a room with a capacity.
  sealed interface OfSeat extends RoomSignal {}

  /// The account has a seat, or something that will become one.
  sealed interface Standing extends OfSeat {}

  /// It is inside.
  ///
  /// @param inside how many are, counted when it came in or the capacity changed
  record SeatInside(RoomId roomId, long inside, long capacity) implements Standing {}

  /// It waits for a seat; told again when that changes.
  ///
  /// @param position in the line, from 1
  /// @param ahead how many get in before it
  /// @param waiting how many are in the line
  /// @param estimateS in how many seconds its turn may come; absent: nobody knows
  /// @param place to be named by who enters again without a [ConfabClient], which does so itself;
  ///     absent of others
  record SeatWaiting(
      RoomId roomId,
      long position,
      long ahead,
      long waiting,
      @Nullable Long estimateS,
      @Nullable String place)
      implements Standing {}

  /// A seat is kept for it: who enters takes it up.
  ///
  /// @param until milliseconds since 1970 by the server's clock
  record SeatOffer(RoomId roomId, long until) implements Standing {}

  /// It has neither seat nor place any more.
  ///
  /// @param reason `left`, `expired` or `removed`; others may come
  record SeatLost(RoomId roomId, String reason) implements OfSeat {}
}
