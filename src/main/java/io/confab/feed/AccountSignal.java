package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.FailureReason;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import org.jspecify.annotations.Nullable;

/// A notice to the sessions of an account, and to those who watch it, that something changed. Of
/// what is repeated until it is heard it carries no state: sessions look at the truth, unless a
/// version says that it is news, as with seats. Of markers, counts and presence, which are told
/// once ([Announcer#signalOnce]), it carries the state itself, so that nobody has to look.
public sealed interface AccountSignal {
  AccountId account();

  record Added(AccountId account, RoomId room) implements AccountSignal {}

  record Removed(AccountId account, RoomId room, LeaveReason reason) implements AccountSignal {}

  /// An invitation of the account to the room began or ended.
  record Invited(AccountId account, RoomId room) implements AccountSignal {}

  /// The device signed out or was removed.
  record Revoked(AccountId account, DeviceId device) implements AccountSignal {}

  /// Sign-ins of several devices, or of all, have ended: the account was suspended or removed, or
  /// its password changed.
  record SignInsEnded(AccountId account) implements AccountSignal {}

  /// Somebody whom the account sees has another display name.
  record Renamed(AccountId account, AccountId renamed) implements AccountSignal {}

  /// A backend signed a device of the account in, or a device has another name, other keys or none
  /// any more.
  ///
  /// @param version rises with each of them
  record DevicesChanged(AccountId account, long version) implements AccountSignal {}

  /// The same of another account, with which this one is in a sealed room. It is told once.
  ///
  /// @param version rises with each of them
  record OtherDevicesChanged(AccountId account, AccountId changed, long version)
      implements AccountSignal {}

  /// A device of the account has few one-time keys left. It is told once.
  record KeysLow(AccountId account, DeviceId device, long oneTimeKeys) implements AccountSignal {}

  /// The account is, to those who may know, another thing than before. It is told once, with the
  /// state itself; a lower version than one that was heard is old.
  ///
  /// @param seenAt when it was there last, in milliseconds since 1970
  record PresenceChanged(AccountId account, PresenceStatus status, long seenAt, long version)
      implements AccountSignal {}

  /// What the account says of itself has changed; as above.
  ///
  /// @param text empty: nothing
  record StatusTextChanged(AccountId account, String text, long version) implements AccountSignal {}

  /// The account wants this to be the status of all its sessions. It is repeated as it is: a number
  /// that is not higher than the last one that was heard is old.
  record StatusSet(AccountId account, PresenceStatus status, long number)
      implements AccountSignal {}

  /// Others may know more of the account, or less.
  record VisibilityChanged(AccountId account) implements AccountSignal {}

  /// The device has a session with this fence; all with a lower one are to go.
  record Displaced(AccountId account, DeviceId device, Fence fence) implements AccountSignal {}

  /// A marker of the account stands so now.
  ///
  /// @param version of two moves of it the later one has the higher
  /// @param by the session that moved it, and knows; null: none, or several
  record MarkerMoved(
      AccountId account,
      RoomId room,
      Seq read,
      Seq delivered,
      @Nullable Seq unreadFrom,
      long version,
      @Nullable SessionId by)
      implements AccountSignal {}

  /// Other members have read and received the account's own messages up to these.
  ///
  /// @param asOf a rev at which the room stood: it is of the membership of then
  record OthersRead(AccountId account, RoomId room, Seq read, Seq delivered, Rev asOf)
      implements AccountSignal {}

  /// A message of the account in a sealed room does not arrive at another one.
  record Undelivered(
      AccountId account, RoomId room, Seq seq, AccountId reader, FailureReason reason)
      implements AccountSignal {}

  /// Something was put into queues of the account's devices that is of no room: they look.
  record Queued(AccountId account) implements AccountSignal {}

  /// The account stands otherwise in a room with a capacity than before; how, is to be looked up,
  /// but for a seat of which it is told when it was given.
  ///
  /// @param news what became of it; null: this version does not know
  /// @param seat that it was given; null: none
  record SeatChanged(
      AccountId account, RoomId room, @Nullable SeatNews news, @Nullable GivenSeat seat)
      implements AccountSignal {
    public SeatChanged(AccountId account, RoomId room, @Nullable SeatNews news) {
      this(account, room, news, null);
    }
  }

  /// What the account has not read in a room, and in all of them.
  ///
  /// @param seq the last message of the room that was looked at
  /// @param asOf a rev at which the room stood: it is of the membership of then
  /// @param version of two counts the one of the later state has the higher
  record UnreadChanged(
      AccountId account,
      RoomId room,
      long unread,
      long mentions,
      long total,
      Seq seq,
      Rev asOf,
      long version)
      implements AccountSignal {}
}
