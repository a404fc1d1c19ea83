package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.util.List;
import java.util.Optional;

/// What is to be done where devices do not understand each other any more: another session with
/// one of which something could not be opened, then word to it that keys are to be told again.
final class Repairs {
  private static final String BROKEN = "broken/";
  private static final String OWED = "owed/";

  private final DeviceLists lists;
  private final OlmSessions sessions;
  private final SenderKeys keys;
  private final Pins pins;

  Repairs(DeviceLists lists, Pins pins, OlmSessions sessions, SenderKeys keys) {
    this.lists = lists;
    this.pins = pins;
    this.sessions = sessions;
    this.keys = keys;
  }

  /// What a device encrypted could not be opened, so another session is needed with it.
  void broken(Changes changes, AccountId account, DeviceId device) {
    changes.put(BROKEN + name(account, device), new byte[0]);
  }

  /// What could not be opened was meant for others: nobody gave this device keys until now.
  void forgetBroken(Changes changes) {
    changes.keys(BROKEN).forEach(changes::remove);
  }

  boolean isBroken(Changes changes, RoomDevice device) {
    return changes.get(BROKEN + name(device)).isPresent();
  }

  /// Another session began with a device.
  void begun(Changes changes, AccountId account, DeviceId device) {
    String broken = BROKEN + name(account, device);
    if (changes.get(broken).isPresent()) {
      changes.remove(broken);
      changes.put(OWED + name(account, device), new byte[0]);
    }
  }

  /// The devices that are owed word.
  List<RoomDevice> owed(Changes changes) {
    return lists.everybody(changes).stream()
        .filter(listed -> listed.doubt() == null)
        .map(ListedDevice::device)
        .filter(device -> changes.get(OWED + name(device)).isPresent())
        .filter(device -> hasSession(changes, device))
        .toList();
  }

  /// A device was sent word.
  void told(Changes changes, RoomDevice device) {
    changes.remove(OWED + name(device));
  }

  /// A device sent word: it has none of the keys that it was told.
  void lost(Changes changes, AccountId account, DeviceId device) {
    keys.lost(changes, name(account, device) + "/");
  }

  /// What others told this device is gone, and nobody knows what they got of it.
  void beginAnew(Changes changes) {
    keys.endAll(changes);
    for (ListedDevice listed : lists.everybody(changes)) {
      if (hasSession(changes, listed.device())) {
        changes.put(OWED + name(listed.device()), new byte[0]);
      }
    }
  }

  private boolean hasSession(Changes changes, RoomDevice device) {
    Optional<DeviceIdentity> identity = pins.device(changes, device.accountId(), device.deviceId());
    return identity.filter(known -> sessions.has(changes, known)).isPresent();
  }

  private static String name(RoomDevice device) {
    return name(device.accountId(), device.deviceId());
  }

  private static String name(AccountId account, DeviceId device) {
    return account + "/" + device.value();
  }
}
