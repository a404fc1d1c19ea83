package io.confab.client.sealedroom;

import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.RecoveryKey;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/// The vault of the account, by which a fresh device gets its identity without another one; made by
/// [SealedRooms#recovery]. As its calls, these may come from any thread.
public final class SealedRecovery {
  private final SealedLoop loop;
  private final Recovering recovering;

  SealedRecovery(SealedLoop loop, Recovering recovering) {
    this.loop = loop;
    this.recovering = recovering;
  }

  /// Whether this device has the identity of the account, and so nothing to recover.
  public Future<Boolean> hasIdentity() {
    return recovering.hasIdentity();
  }

  /// @param madeAt when it was made; empty: it does not say
  /// @param isFormer it is of an identity that the account does not have any more, as after
  ///     [#reset], and opens nothing
  public record Present(Optional<Instant> madeAt, boolean isFormer) {}

  /// The vault of the account, as the server tells of it; empty: there is none.
  public Future<Optional<Present>> vault() {
    return loop.ask(recovering::vault);
  }

  /// Makes a recovery key and the vault that it opens, in place of the one before; empty: this
  /// device does not have the identity. Fails as `conflict` where it has another one than its
  /// account. Nobody else has the key.
  public Future<Optional<RecoveryKey>> make() {
    return loop.ask(recovering::make);
  }

  /// Gives the account another identity, that of this device, for a person who has no device with
  /// the former one and no key that opens the vault. Others are warned, and seal nothing for the
  /// account until they accept it; other devices of the account are to be linked to this one, and
  /// what was said before is not opened by it. Fails as `conflict` where this device takes part, or
  /// the server takes no keys of it; after another failure it may be asked for again. What is
  /// answered is [Opened#state].
  public Future<Optional<SealedState>> reset() {
    return loop.ask(recovering::reset);
  }

  /// @param state how far this device takes part then; empty: it has no more than before, or the
  ///     server did not say it within ten seconds, and [SealedListener#state] tells it
  public record Opened(Recovered outcome, Optional<SealedState> state) {}

  /// Opens the vault: this device gets the identity, and takes part from here on if the server
  /// takes its keys.
  public Future<Opened> open(RecoveryKey key) {
    return loop.ask(() -> recovering.open(key));
  }
}
