package io.confab.key;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.Suite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients ask about keys.
public sealed interface KeyCommand<R extends BusMessage> extends Command<R> {
  Address<KeyCommand<?>> ADDRESS = new Address<>("keys", NodeRole.ROUTING);

  @Override
  default Address<KeyCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case UploadKeys(var caller, _) -> Lane.of(caller.account());
      case ChangeIdentity(var caller, _, _) -> Lane.of(caller);
      case ReadVault(var caller) -> Lane.of(caller);
      case KeepVault(var caller, _) -> Lane.of(caller);
      case QueryKeys(var caller, _) -> Lane.of(caller);
      case ClaimKeys(var caller, _) -> Lane.of(caller);
    };
  }

  /// A key as its device names it.
  record DeviceKey(String id, Opaque key) {}

  /// @param identity of the device; null: as before
  record KeyUpload(
      Suite suite,
      @Nullable Opaque identity,
      @Nullable DeviceKey fallback,
      List<DeviceKey> oneTimeKeys) {}

  /// Keeps keys of the caller's device. Refusals: `conflict` (`identity`, `suite`,
  /// `one_time_keys[n].id`, `device`: too many of the account have keys), `invalid_field`
  /// (`identity` is missing), `not_found` for a device that is gone.
  record UploadKeys(Caller caller, KeyUpload keys) implements KeyCommand<Uploaded> {}

  /// @param oneTimeKeys how many of the device wait to be handed out
  /// @param began whether the device had no keys before
  record Uploaded(long registrationId, long oneTimeKeys, boolean began) implements BusMessage {}

  /// Changes the identity of the caller's account, and those of its devices. Refusal:
  /// `invalid_field` for a device that has no keys.
  ///
  /// @param identity null: as before
  record ChangeIdentity(AccountId caller, @Nullable Opaque identity, List<DeviceIdentity> devices)
      implements KeyCommand<IdentityVersion> {}

  record DeviceIdentity(DeviceId device, Opaque identity) {}

  /// @param version of the account's devices
  record IdentityVersion(long version) implements BusMessage {}

  /// What the caller keeps for itself.
  record ReadVault(AccountId caller) implements KeyCommand<Vault> {}

  record KeepVault(AccountId caller, Opaque vault) implements KeyCommand<Done> {}

  /// @param vault null: there is none
  record Vault(@Nullable Opaque vault) implements BusMessage {}

  /// The devices with keys of accounts, as far as the caller may see them.
  record QueryKeys(AccountId caller, List<AccountId> accounts) implements KeyCommand<KnownKeys> {}

  /// @param accounts in the order of the call; others are not to be seen
  /// @param rest those that did not fit; null: none
  record KnownKeys(List<AccountKeys> accounts, @Nullable List<AccountId> rest)
      implements BusMessage {}

  record AccountKeys(
      AccountId accountId, long version, @Nullable Opaque identity, List<KnownDevice> devices) {}

  record KnownDevice(DeviceId deviceId, long registrationId, Suite suite, Opaque identity) {}

  /// Takes a one-time key of each device, or its fallback key where it has none.
  ///
  /// @param devices each once
  record ClaimKeys(AccountId caller, List<DeviceName> devices) implements KeyCommand<ClaimedKeys> {}

  record DeviceName(AccountId account, DeviceId device) {}

  /// @param keys in the order of the call; devices without keys, or not to be seen, are absent
  record ClaimedKeys(List<ClaimedKey> keys) implements BusMessage {}

  /// @param id null, as `key`: there is none
  /// @param fallback true: others have, or will get, the same
  /// @param error `rate_limited`: the device was claimed too often
  record ClaimedKey(
      AccountId accountId,
      DeviceId deviceId,
      @Nullable String id,
      @Nullable Opaque key,
      @Nullable Boolean fallback,
      @Nullable ErrorCode error) {}
}
