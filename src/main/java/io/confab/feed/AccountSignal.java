package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.RoomId;

/// A notice to the sessions of an account that something changed. It carries no state: sessions
/// look at the truth.
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

  /// A backend signed a device of the account in, or a device has another name.
  ///
  /// @param version rises with each of them
  record DevicesChanged(AccountId account, long version) implements AccountSignal {}

  /// The device has a session with this fence; all with a lower one are to go.
  record Displaced(AccountId account, DeviceId device, Fence fence) implements AccountSignal {}
}
