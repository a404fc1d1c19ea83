package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// With which devices and which keys identities are compared. Of an account that has another
/// identity now that is the new one: comparing is how the person finds out whether to accept it.
final class Partners {
  private final DeviceAccount own;
  private final Pins pins;
  private final DeviceLists lists;
  private final OlmSessions sessions;

  Partners(DeviceAccount own, Pins pins, DeviceLists lists, OlmSessions sessions) {
    this.own = own;
    this.pins = pins;
    this.lists = lists;
    this.sessions = sessions;
  }

  /// This device, once its account signed it.
  Optional<EmojiComparison.Party> own(Changes changes) {
    DeviceIdentity device = own.identity(changes);
    return pins.identity(changes, device.account())
        .filter(_ -> pins.sign(changes, device))
        .map(identity -> new EmojiComparison.Party(device, identity.master()));
  }

  /// A device that its account signed.
  Optional<EmojiComparison.Party> other(Changes changes, RoomDevice device) {
    return pins.latest(changes, device.accountId())
        .flatMap(
            identity ->
                pins.device(changes, device.accountId(), device.deviceId())
                    .filter(known -> known.isSignedBy(identity))
                    .map(known -> new EmojiComparison.Party(known, identity.master())));
  }

  /// The newest of such devices.
  Optional<RoomDevice> newest(Changes changes, AccountId account) {
    return others(changes, account).max(Comparator.comparing(RoomDevice::registrationId));
  }

  /// The other devices of the own account that it signed, with its new identity where it has
  /// another one than this device.
  List<RoomDevice> ownOthers(Changes changes) {
    return others(changes, own.identity(changes).account()).toList();
  }

  private Stream<RoomDevice> others(Changes changes, AccountId account) {
    DeviceIdentity me = own.identity(changes);
    return lists.of(changes, account).stream()
        .filter(listed -> listed.doubt() == null || listed.doubt() == Doubt.CHANGED_IDENTITY)
        .map(ListedDevice::device)
        .filter(device -> !me.is(account, device.deviceId()))
        .filter(device -> other(changes, device).isPresent());
  }

  /// Who a device is that is listed, whether it is believed or not.
  Optional<DeviceIdentity> identity(Changes changes, RoomDevice device) {
    return pins.device(changes, device.accountId(), device.deviceId());
  }

  /// A device as the server lists it.
  Optional<RoomDevice> listed(Changes changes, DeviceIdentity device) {
    return lists.find(changes, device.account(), device.device());
  }

  /// The device that said something.
  Optional<RoomDevice> sender(Changes changes, Note note) {
    return lists.find(changes, note.senderId(), note.senderDeviceId());
  }

  boolean hasSession(Changes changes, RoomDevice device) {
    return other(changes, device)
        .filter(party -> sessions.has(changes, party.device()))
        .isPresent();
  }

  /// Who gives way when both begin at once: of two names the greater.
  boolean yieldsTo(Changes changes, RoomDevice other) {
    DeviceIdentity me = own.identity(changes);
    String ownName = me.account() + "/" + me.device().value();
    String otherName = other.accountId() + "/" + other.deviceId().value();
    return ownName.compareTo(otherName) > 0;
  }
}
