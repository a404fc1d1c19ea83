package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whose keys are believed. The first identity of an account that is seen is pinned, and the first
/// keys of a device are its keys for ever. Another identity of an account waits for the person's
/// word; until then nothing is sealed for that account and nothing of it is shown.
final class Pins {
  private static final String PIN = "pin/";
  private static final String DEVICE = "peer/";

  /// @param offered another identity that the server tells of
  private record Pin(
      AccountIdentity identity, boolean verified, @Nullable AccountIdentity offered) {}

  /// @param signed by the pinned identity of its account
  private record Kept(DeviceIdentity identity, boolean signed) {}

  /// Takes the identity of an account that the server tells of.
  void learn(Changes changes, AccountIdentity identity) {
    AccountId account = identity.account();
    Optional<Pin> pin = pin(changes, account);
    boolean pinned = pin.isEmpty() || pin.get().identity().master().equals(identity.master());
    boolean verified = pin.map(Pin::verified).orElse(false);
    put(
        changes,
        account,
        pinned
            ? new Pin(identity, verified, null)
            : new Pin(pin.get().identity(), verified, identity));
    reconsider(changes, account);
  }

  /// Takes what a device says of itself, or the server of it. Doubt: CHANGED_DEVICE.
  void meet(Changes changes, DeviceIdentity device) {
    Optional<DeviceIdentity> before = device(changes, device.account(), device.device());
    if (before.isPresent() && !before.get().hasKeysOf(device)) {
      throw new Untrusted(Doubt.CHANGED_DEVICE);
    }
    boolean loses =
        before.isPresent() && isSigned(changes, before.get()) && !isSigned(changes, device);
    keep(changes, loses ? before.get() : device);
  }

  /// Pins the identity of the own account, which this device made itself: whatever the server tells
  /// of it is a change.
  void own(Changes changes, AccountIdentity identity) {
    put(changes, identity.account(), new Pin(identity, true, null));
    reconsider(changes, identity.account());
  }

  /// Another device of the account knows somebody by this master key, and rather than what the
  /// server told this one first. Until the server tells the rest of that identity, none of its
  /// devices is believed.
  void vouch(Changes changes, Pinned known) {
    AccountId account = known.account();
    Optional<Pin> before = pin(changes, account);
    Optional<AccountIdentity> told = latest(changes, account);
    boolean same = told.filter(now -> now.master().equals(known.master())).isPresent();
    boolean verified =
        known.verified()
            || before
                .filter(Pin::verified)
                .filter(pin -> pin.identity().master().equals(known.master()))
                .isPresent();
    put(
        changes,
        account,
        same
            ? new Pin(told.get(), verified, null)
            : new Pin(
                new AccountIdentity(account, known.master(), "", "", ""),
                verified,
                told.orElse(null)));
    reconsider(changes, account);
  }

  /// Whose identities are pinned, the verified ones first; of a changed one the pinned.
  List<Pinned> pinned(Changes changes) {
    return changes.keys(PIN).stream()
        .map(key -> AccountId.parse(key.substring(PIN.length())))
        .map(account -> pinned(account, pin(changes, account).orElseThrow()))
        .sorted(Comparator.comparing(Pinned::verified).reversed())
        .toList();
  }

  private static Pinned pinned(AccountId account, Pin pin) {
    return new Pinned(account, pin.identity().master(), pin.verified());
  }

  /// The identity that the server tells of becomes the pinned one: the person accepted it.
  void accept(Changes changes, AccountId account) {
    pin(changes, account)
        .map(Pin::offered)
        .ifPresent(
            offered -> {
              put(changes, account, new Pin(offered, false, null));
              reconsider(changes, account);
            });
  }

  /// The person compared keys with somebody: what they compared is this master key. Another
  /// identity than the pinned one is accepted by that. False: it is neither.
  boolean verified(Changes changes, AccountId account, String master) {
    Optional<Pin> pin = pin(changes, account);
    Optional<AccountIdentity> same =
        latest(changes, account).filter(identity -> identity.master().equals(master));
    if (pin.isEmpty() || same.isEmpty()) {
      return false;
    }
    put(changes, account, new Pin(same.get(), true, null));
    reconsider(changes, account);
    return true;
  }

  Trust trust(Changes changes, AccountId account) {
    return pin(changes, account)
        .map(
            pin ->
                pin.offered() != null
                    ? Trust.CHANGED
                    : pin.verified() ? Trust.VERIFIED : Trust.PINNED)
        .orElse(Trust.NONE);
  }

  /// The pinned identity.
  Optional<AccountIdentity> identity(Changes changes, AccountId account) {
    return pin(changes, account).map(Pin::identity);
  }

  /// The identity that the server tells of, where that is another one, else the pinned one.
  Optional<AccountIdentity> latest(Changes changes, AccountId account) {
    return pin(changes, account)
        .map(pin -> Optional.ofNullable(pin.offered()).orElse(pin.identity()));
  }

  Optional<DeviceIdentity> device(Changes changes, AccountId account, DeviceId device) {
    return changes
        .get(key(account, device))
        .map(json -> SealedJson.kept(json, Kept.class))
        .map(Kept::identity);
  }

  /// Whether the identity of its account signed a device, and nobody tells of another one.
  boolean sign(Changes changes, DeviceIdentity device) {
    return isSigned(changes, device) && trust(changes, device.account()) != Trust.CHANGED;
  }

  /// Why nothing is sealed for a device and nothing of it shown.
  Optional<Doubt> doubt(Changes changes, DeviceIdentity device) {
    if (trust(changes, device.account()) == Trust.CHANGED) {
      return Optional.of(Doubt.CHANGED_IDENTITY);
    }
    Optional<Kept> kept = kept(changes, device);
    if (kept.isEmpty()) {
      return Optional.of(Doubt.UNSIGNED_DEVICE);
    }
    if (!kept.get().identity().hasKeysOf(device)) {
      return Optional.of(Doubt.CHANGED_DEVICE);
    }
    return kept.get().signed() ? Optional.empty() : Optional.of(Doubt.UNSIGNED_DEVICE);
  }

  private void reconsider(Changes changes, AccountId account) {
    for (DeviceIdentity device : devices(changes, account)) {
      keep(changes, device);
    }
  }

  private void keep(Changes changes, DeviceIdentity device) {
    changes.put(
        key(device.account(), device.device()),
        SealedJson.keep(new Kept(device, isSigned(changes, device))));
  }

  private static boolean isSigned(Changes changes, DeviceIdentity device) {
    return pin(changes, device.account()).map(Pin::identity).filter(device::isSignedBy).isPresent();
  }

  private List<DeviceIdentity> devices(Changes changes, AccountId account) {
    String prefix = DEVICE + account + "/";
    return changes.keys(prefix).stream()
        .map(key -> device(changes, account, new DeviceId(key.substring(prefix.length()))))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Kept> kept(Changes changes, DeviceIdentity device) {
    return changes
        .get(key(device.account(), device.device()))
        .map(json -> SealedJson.kept(json, Kept.class));
  }

  private static Optional<Pin> pin(Changes changes, AccountId account) {
    return changes.get(PIN + account).map(json -> SealedJson.kept(json, Pin.class));
  }

  private static void put(Changes changes, AccountId account, Pin pin) {
    changes.put(PIN + account, SealedJson.keep(pin));
  }

  private static String key(AccountId account, DeviceId device) {
    return DEVICE + account + "/" + device.value();
  }
}
