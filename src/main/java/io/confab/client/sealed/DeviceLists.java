package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which devices the server lists. It counts all of them when something is sent, so they are here
/// whether they are believed or not: rubbish in the name of one keeps nobody from sending.
final class DeviceLists {
  private static final String KEY = "listed/";

  private final Pins pins;

  DeviceLists(Pins pins) {
    this.pins = pins;
  }

  private record Kept(List<ListedDevice> devices) {}

  /// Takes what the server tells of an account. What is not believed is told, and kept from
  /// nothing else.
  List<Warning> learn(Changes changes, KnownAccount known) {
    AccountId account = known.accountId();
    List<Warning> warnings = new ArrayList<>();
    Opaque identity = known.identity();
    if (identity != null) {
      try {
        pins.learn(changes, AccountIdentity.read(account, identity.value()));
      } catch (Untrusted e) {
        warnings.add(new Warning(account, null, e.doubt()));
      }
    }
    boolean had = !of(changes, account).isEmpty();
    List<ListedDevice> listed =
        known.devices().stream().map(device -> met(changes, account, device)).toList();
    changes.put(KEY + account, SealedJson.keep(new Kept(listed)));
    for (ListedDevice device : of(changes, account)) {
      if (device.doubt() != null) {
        warnings.add(new Warning(account, device.device().deviceId(), device.doubt()));
      }
    }
    if (pins.trust(changes, account) == Trust.CHANGED) {
      warnings.add(new Warning(account, null, Doubt.CHANGED_IDENTITY));
    }
    if (had && listed.isEmpty()) {
      warnings.add(new Warning(account, null, Doubt.NO_DEVICE));
    }
    return List.copyOf(warnings);
  }

  /// The server tells nothing of an account: nothing is sent to its devices.
  void absent(Changes changes, AccountId account) {
    changes.remove(KEY + account);
  }

  /// The devices of an account, as they are believed now.
  List<ListedDevice> of(Changes changes, AccountId account) {
    return changes
        .get(KEY + account)
        .map(json -> SealedJson.kept(json, Kept.class).devices())
        .orElse(List.of())
        .stream()
        .map(listed -> new ListedDevice(listed.device(), doubt(changes, listed)))
        .toList();
  }

  /// The devices of accounts, believed or not.
  List<RoomDevice> all(Changes changes, Collection<AccountId> accounts) {
    return accounts.stream()
        .flatMap(account -> of(changes, account).stream())
        .map(ListedDevice::device)
        .toList();
  }

  /// The devices of all accounts that were ever asked for.
  List<ListedDevice> everybody(Changes changes) {
    return changes.keys(KEY).stream()
        .map(key -> AccountId.parse(key.substring(KEY.length())))
        .flatMap(account -> of(changes, account).stream())
        .toList();
  }

  Optional<RoomDevice> find(Changes changes, AccountId account, DeviceId device) {
    return all(changes, List.of(account)).stream()
        .filter(listed -> listed.is(account, device))
        .findFirst();
  }

  /// As the protocol says for `devices` of `envelope.send`.
  static String digest(Collection<RoomDevice> devices) {
    String registrations =
        devices.stream()
            .map(RoomDevice::registrationId)
            .sorted()
            .distinct()
            .map(Object::toString)
            .collect(Collectors.joining(","));
    try {
      byte[] sha256 =
          MessageDigest.getInstance("SHA-256")
              .digest(registrations.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(sha256, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private ListedDevice met(Changes changes, AccountId account, KnownDevice known) {
    RoomDevice device = new RoomDevice(account, known.deviceId(), known.registrationId());
    Opaque identity = known.identity();
    if (identity == null) {
      return new ListedDevice(device, Doubt.OTHER_SUITE);
    }
    try {
      pins.meet(changes, DeviceIdentity.read(account, known.deviceId(), identity.value()));
      return new ListedDevice(device, null);
    } catch (Untrusted e) {
      return new ListedDevice(device, e.doubt());
    }
  }

  /// What was told of it, else of whom it is.
  private @Nullable Doubt doubt(Changes changes, ListedDevice listed) {
    RoomDevice device = listed.device();
    return listed.doubt() != null
        ? listed.doubt()
        : pins.device(changes, device.accountId(), device.deviceId())
            .flatMap(identity -> pins.doubt(changes, identity))
            .orElse(null);
  }
}
