package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.Ed25519SecretKey;
import io.confab.protocol.AccountId;
import java.util.Optional;

/// The secret half of the identity of the own account, on the devices that have it: on the first
/// one, which made it, and on those that were linked.
final class OwnIdentity {
  private static final String KEY = "identity";

  private final AccountId account;

  OwnIdentity(AccountId account) {
    this.account = account;
  }

  /// Three private keys in Base64.
  private record Secrets(String master, String selfSigning, String userSigning, String json) {}

  /// Makes an identity; the account has none yet.
  AccountIdentity create(Changes changes) {
    try (var master = Ed25519SecretKey.Companion.invoke();
        var selfSigning = Ed25519SecretKey.Companion.invoke();
        var userSigning = Ed25519SecretKey.Companion.invoke()) {
      ObjectNode json = SealedJson.object();
      set(json, AccountIdentity.Usage.MASTER, master, master);
      set(json, AccountIdentity.Usage.SELF_SIGNING, selfSigning, master);
      set(json, AccountIdentity.Usage.USER_SIGNING, userSigning, master);
      AccountIdentity identity = AccountIdentity.read(account, SealedJson.write(json));
      Secrets secrets =
          new Secrets(
              master.getBase64(),
              selfSigning.getBase64(),
              userSigning.getBase64(),
              identity.json());
      changes.put(KEY, SealedJson.keep(secrets));
      return identity;
    }
  }

  /// The public half, where this device has the secret one.
  Optional<AccountIdentity> identity(Changes changes) {
    return secrets(changes).map(secrets -> AccountIdentity.read(account, secrets.json()));
  }

  /// The device with the signature of the account, where this device can give it.
  Optional<DeviceIdentity> sign(Changes changes, DeviceIdentity device) {
    if (!device.account().equals(account)) {
      throw new IllegalArgumentException("a device of another account");
    }
    return secrets(changes)
        .map(
            secrets -> {
              ObjectNode json = SealedJson.foreign(device.json());
              try (var key = Ed25519SecretKey.Companion.invoke(secrets.selfSigning())) {
                sign(json, key);
              }
              return DeviceIdentity.read(account, device.device(), SealedJson.write(json));
            });
  }

  private Optional<Secrets> secrets(Changes changes) {
    return changes.get(KEY).map(json -> SealedJson.kept(json, Secrets.class));
  }

  private void set(
      ObjectNode identity,
      AccountIdentity.Usage usage,
      Ed25519SecretKey key,
      Ed25519SecretKey master) {
    try (var ownPublic = key.getPublicKey()) {
      ObjectNode object = AccountIdentity.unsigned(account, usage, ownPublic.getBase64());
      if (usage != AccountIdentity.Usage.MASTER) {
        sign(object, master);
      }
      identity.set(usage.field(), object);
    }
  }

  private void sign(ObjectNode object, Ed25519SecretKey signer) {
    try (var name = signer.getPublicKey()) {
      SignedObject.sign(
          object,
          OlmNames.of(account),
          OlmNames.ed25519(name.getBase64()),
          text -> {
            try (var signature = signer.sign(text)) {
              return signature.getBase64();
            }
          });
    }
  }
}
