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
    return kept(changes).map(secrets -> AccountIdentity.read(account, secrets.json()));
  }

  /// The device with the signature of the account, where this device can give it.
  Optional<DeviceIdentity> sign(Changes changes, DeviceIdentity device) {
    if (!device.account().equals(account)) {
      throw new IllegalArgumentException("a device of another account");
    }
    return kept(changes)
        .map(
            secrets -> {
              ObjectNode json = SealedJson.foreign(device.json());
              try (var key = Ed25519SecretKey.Companion.invoke(secrets.selfSigning())) {
                sign(json, key);
              }
              return DeviceIdentity.read(account, device.device(), SealedJson.write(json));
            });
  }

  /// The secrets, for another device of the account; this one has them.
  ObjectNode secrets(Changes changes) {
    Secrets own = kept(changes).orElseThrow();
    return SealedJson.object()
        .put(AccountIdentity.Usage.MASTER.field(), own.master())
        .put(AccountIdentity.Usage.SELF_SIGNING.field(), own.selfSigning())
        .put(AccountIdentity.Usage.USER_SIGNING.field(), own.userSigning())
        .put("json", own.json());
  }

  /// Secrets that fit to an identity of the account.
  static final class Taken {
    private final Secrets secrets;
    private final AccountIdentity identity;

    private Taken(Secrets secrets, AccountIdentity identity) {
      this.secrets = secrets;
      this.identity = identity;
    }

    AccountIdentity identity() {
      return identity;
    }
  }

  /// Looks at secrets that another device gave. Doubts: MALFORMED, OTHER_OWNER, BAD_SIGNATURE,
  /// BAD_KEY where a secret is not that of its public key.
  Taken check(ObjectNode given) {
    AccountIdentity told = AccountIdentity.read(account, SealedJson.text(given, "json"));
    return new Taken(
        new Secrets(
            fitting(given, AccountIdentity.Usage.MASTER, told.master()),
            fitting(given, AccountIdentity.Usage.SELF_SIGNING, told.selfSigning()),
            fitting(given, AccountIdentity.Usage.USER_SIGNING, told.userSigning()),
            told.json()),
        told);
  }

  void take(Changes changes, Taken taken) {
    changes.put(KEY, SealedJson.keep(taken.secrets));
  }

  private static String fitting(ObjectNode given, AccountIdentity.Usage usage, String told) {
    String secret = SealedJson.text(given, usage.field());
    return Vodozemac.read(
        Doubt.BAD_KEY,
        () -> {
          try (var key = Ed25519SecretKey.Companion.invoke(secret);
              var ownPublic = key.getPublicKey()) {
            if (!ownPublic.getBase64().equals(told)) {
              throw new Untrusted(Doubt.BAD_KEY);
            }
            return secret;
          }
        });
  }

  private Optional<Secrets> kept(Changes changes) {
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
