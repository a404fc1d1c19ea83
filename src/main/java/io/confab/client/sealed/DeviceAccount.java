package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.Curve25519PublicKey;
import de.connect2x.trixnity.vodozemac.olm.Account;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The keys of the own device: its identity, the one-time keys and the fallback key that others
/// make sessions with.
final class DeviceAccount {
  private static final String KEY = "device";
  private static final String UNSIGNED = "listed-unsigned";

  /// How many one-time keys are to wait at the server.
  private static final int ONE_TIME_KEYS = 50;

  private final AccountId account;
  private final DeviceId device;

  DeviceAccount(AccountId account, DeviceId device) {
    this.account = account;
    this.device = device;
  }

  /// @param first as it was published first; null: it was not yet
  private record Kept(String pickle, DeviceIdentity identity, @Nullable Opaque first) {}

  /// Makes the keys of a device, unless the store has them. Fails as [ForeignStoreException] where
  /// it has those of another one.
  DeviceIdentity open(Changes changes) {
    if (changes.get(KEY).isEmpty()) {
      try (Account made = Vodozemac.newAccount();
          var curve25519 = made.getCurve25519Key();
          var ed25519 = made.getEd25519Key()) {
        generateFallback(made);
        ObjectNode json =
            DeviceIdentity.unsigned(account, device, curve25519.getBase64(), ed25519.getBase64());
        sign(made, json);
        DeviceIdentity identity = DeviceIdentity.read(account, device, SealedJson.write(json));
        changes.put(KEY, SealedJson.keep(new Kept(Vodozemac.pickle(made), identity, null)));
      }
    }
    DeviceIdentity identity = identity(changes);
    if (!identity.is(account, device)) {
      throw new ForeignStoreException(
          "This is the store of device %s of account %s."
              .formatted(identity.device(), identity.account()));
    }
    return identity;
  }

  DeviceIdentity identity(Changes changes) {
    return kept(changes).identity();
  }

  /// Keeps the identity with signatures that were added.
  void signed(Changes changes, DeviceIdentity identity) {
    if (!identity.hasKeysOf(identity(changes))) {
      throw new IllegalArgumentException("another device");
    }
    Kept kept = kept(changes);
    changes.put(KEY, SealedJson.keep(new Kept(kept.pickle(), identity, kept.first())));
  }

  /// How the server lists this device: with the signature of its account, or without.
  void listed(Changes changes, KnownAccount known, Pins pins) {
    Optional<AccountIdentity> signer = pins.identity(changes, account);
    boolean lacks =
        known.devices().stream()
            .filter(one -> one.deviceId().equals(device))
            .flatMap(one -> Optional.ofNullable(one.identity()).stream())
            .map(json -> new DeviceIdentity(account, device, "", "", json.value()))
            .anyMatch(told -> signer.filter(told::isSignedBy).isEmpty());
    if (lacks) {
      changes.put(UNSIGNED, new byte[0]);
    } else if (changes.get(UNSIGNED).isPresent()) {
      changes.remove(UNSIGNED);
    }
  }

  /// The signed device, where the server listed it without the signature.
  Optional<DeviceIdentity> dueSignature(Changes changes, Pins pins) {
    return changes
        .get(UNSIGNED)
        .map(_ -> identity(changes))
        .filter(signed -> pins.sign(changes, signed));
  }

  /// What is to be published: the same again until [#published], and the identity for ever as it
  /// was at first. The server takes no other bytes of a device that comes again; signatures that
  /// were added since are told behind that.
  ///
  /// @param waiting how many one-time keys the server has
  Publication publication(Changes changes, long waiting) {
    Opaque identity = first(changes);
    return use(
        changes,
        keys -> {
          long missing = ONE_TIME_KEYS - waiting - unpublished(keys).size();
          if (missing > 0) {
            close(keys.generateOneTimeKeys((int) missing));
          }
          List<PublicKey> oneTimeKeys = new ArrayList<>();
          unpublished(keys)
              .forEach((id, key) -> oneTimeKeys.add(signed(keys, id, key, SealedJson.object())));
          return new Publication(identity, fallback(keys), List.copyOf(oneTimeKeys));
        });
  }

  private static Opaque first(Changes changes) {
    Kept kept = kept(changes);
    Opaque first = Optional.ofNullable(kept.first()).orElse(kept.identity().opaque());
    changes.put(KEY, SealedJson.keep(new Kept(kept.pickle(), kept.identity(), first)));
    return first;
  }

  /// Takes the signature of the account that the server tells of; it goes with each letter then.
  void takeSignature(Changes changes, Pins pins) {
    DeviceIdentity identity = identity(changes);
    if (!pins.sign(changes, identity)) {
      pins.device(changes, account, device)
          .filter(identity::hasKeysOf)
          .filter(told -> pins.sign(changes, told))
          .ifPresent(told -> signed(changes, told));
    }
  }

  /// The server has what was to be published.
  void published(Changes changes) {
    use(
        changes,
        keys -> {
          keys.markKeysAsPublished();
          return keys;
        });
  }

  /// Makes another fallback key, since the present one was handed out; not where it was not even
  /// published. The one before stays good for sessions that are on their way, and no older one.
  void renewFallback(Changes changes) {
    use(
        changes,
        keys -> {
          var unpublished = keys.getFallbackKey();
          if (unpublished == null) {
            generateFallback(keys);
          } else {
            unpublished.getSecond().close();
          }
          return keys;
        });
  }

  /// Works with the keys and keeps what becomes of them.
  <T> T use(Changes changes, Function<Account, T> work) {
    Kept kept = kept(changes);
    try (Account keys = Vodozemac.account(kept.pickle())) {
      T result = work.apply(keys);
      changes.put(
          KEY, SealedJson.keep(new Kept(Vodozemac.pickle(keys), kept.identity(), kept.first())));
      return result;
    }
  }

  private static Kept kept(Changes changes) {
    return SealedJson.kept(changes.get(KEY).orElseThrow(), Kept.class);
  }

  private static Map<String, Curve25519PublicKey> unpublished(Account keys) {
    return keys.getOneTimeKeys();
  }

  private Optional<PublicKey> fallback(Account keys) {
    return Optional.ofNullable(keys.getFallbackKey())
        .map(
            pair ->
                signed(
                    keys,
                    pair.getFirst(),
                    pair.getSecond(),
                    SealedJson.object().put("fallback", true)));
  }

  private PublicKey signed(Account keys, String id, Curve25519PublicKey key, ObjectNode object) {
    object.put("key", key.getBase64());
    sign(keys, object);
    key.close();
    return new PublicKey("signed_curve25519:" + id, new Opaque(SealedJson.write(object)));
  }

  private void sign(Account keys, ObjectNode object) {
    SignedObject.sign(
        object,
        OlmNames.of(account),
        OlmNames.ed25519(device),
        text -> {
          try (var signature = keys.sign(text)) {
            return signature.getBase64();
          }
        });
  }

  private static void generateFallback(Account keys) {
    Curve25519PublicKey forgotten = keys.generateFallbackKey();
    if (forgotten != null) {
      forgotten.close();
    }
  }

  private static void close(Account.OneTimeKeyGenerationResult made) {
    made.getCreated().forEach(Curve25519PublicKey::close);
    made.getRemoved().forEach(Curve25519PublicKey::close);
  }
}
