package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;

/// The vault of the account: made by a device that has the identity, and opened by one that is to
/// have it. Lines and keys of rooms are not in it. It is as old as its recovery key, since no
/// device keeps that: what is verified or sealed later is not in it.
public final class Recovery {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SealedStore store;
  private final AccountId account;
  private final Belongings belongings;

  Recovery(SealedStore store, AccountId account, Belongings belongings) {
    this.store = store;
    this.account = account;
    this.belongings = belongings;
  }

  /// @param key for the person, and kept nowhere
  /// @param vault for the server
  public record Made(RecoveryKey key, Opaque vault) {}

  /// Whether this device has the identity of the account, and so nothing to recover. One that made
  /// another identity than the account has now does not.
  public boolean hasIdentity() {
    return store.transact(belongings::has);
  }

  /// Whether this device has an identity that its account does not have, of which no vault is made:
  /// it would take the place of a good one.
  public boolean isOutdated() {
    return store.transact(belongings::isOutdated);
  }

  /// Makes a key and a vault that it opens; empty: this device does not have the identity, or
  /// [#isOutdated].
  public Optional<Made> make(Instant now) {
    return store.transact(
        changes -> {
          if (!belongings.mayGive(changes)) {
            return Optional.empty();
          }
          RecoveryKey key = RecoveryKey.make(RANDOM);
          return Optional.of(
              new Made(
                  key,
                  Vault.seal(belongings.identity(changes), key, belongings.pack(changes), now)));
        });
  }

  /// Gives the account the identity of this device in place of the one that the server tells of:
  /// the one that this device made once, else another one. Nothing is asked of the former one, so
  /// everybody else decides for themselves whether to believe it. Until the server has it, the next
  /// that it tells of the account ends that again. Empty: [#hasIdentity].
  ///
  /// @return to be published
  public Optional<Opaque> reset() {
    return store.transact(
        changes ->
            belongings.has(changes)
                ? Optional.empty()
                : Optional.of(belongings.establish(changes).opaque()));
  }

  /// When a vault was made, as it says itself; empty: it does not.
  public static Optional<Instant> madeAt(Opaque vault) {
    return Vault.madeAt(vault);
  }

  /// Whether a vault is of an identity that the account does not have any more, as it says itself
  /// and the server tells of the account; it opens nothing of the one that it has.
  public boolean isFormer(Opaque vault) {
    return Vault.master(vault)
        .map(master -> store.transact(changes -> belongings.isFormer(changes, master)))
        .orElse(false);
  }

  /// Takes what is in the vault of the account, all or nothing. The server's word of the account
  /// is to be learned before.
  public Recovered open(RecoveryKey key, Opaque vault) {
    if (hasIdentity()) {
      return Recovered.PRESENT;
    }
    try {
      store.change(changes -> belongings.unpack(changes, Vault.open(account, key, vault)));
      return Recovered.DONE;
    } catch (Vault.Closed closed) {
      return closed.why();
    } catch (Untrusted e) {
      return e.doubt() == Doubt.CHANGED_IDENTITY ? Recovered.OTHER_IDENTITY : Recovered.DAMAGED;
    }
  }
}
