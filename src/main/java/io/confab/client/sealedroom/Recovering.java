package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.Recovery;
import io.confab.client.sealed.RecoveryKey;
import io.confab.client.sealed.SealedDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Carries the vault of the account to and fro.
final class Recovering {
  private static final Duration MOST_WAITED = Duration.ofSeconds(10);

  private final AccountId account;
  private final ServerCalls calls;
  private final Roster roster;
  private final DeviceThread device;
  private final Part part;
  private final InstantSource clock;

  /// What this device has to do with its keys at the server.
  interface Part {
    /// Whether it takes part.
    boolean isReady();

    /// Publishes its keys also where it is not signed.
    Future<Void> publish();

    /// Takes part with the identity that this device has now.
    Future<SealedState> join();
  }

  Recovering(
      AccountId account,
      ServerCalls calls,
      Roster roster,
      DeviceThread device,
      InstantSource clock,
      Part part) {
    this.account = account;
    this.calls = calls;
    this.roster = roster;
    this.device = device;
    this.clock = clock;
    this.part = part;
  }

  Future<Boolean> hasIdentity() {
    return device.ask(own -> own.recovery().hasIdentity());
  }

  Future<Optional<SealedRecovery.Present>> vault() {
    return calls
        .vault()
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : present(found.get()).map(Optional::of));
  }

  private Future<SealedRecovery.Present> present(Opaque vault) {
    return roster
        .learn(List.of(account))
        .otherwiseEmpty()
        .compose(_ -> device.ask(own -> own.recovery().isFormer(vault)))
        .map(former -> new SealedRecovery.Present(Recovery.madeAt(vault), former));
  }

  /// The person gets the key once the server has the vault. Fails as `conflict` where this device
  /// has another identity than its account.
  Future<Optional<RecoveryKey>> make() {
    return look()
        .compose(_ -> device.ask(own -> made(own.recovery())))
        .compose(
            made ->
                made.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : calls.keepVault(made.get().vault()).map(_ -> made.map(Recovery.Made::key)));
  }

  private Optional<Recovery.Made> made(Recovery recovery) {
    if (recovery.isOutdated()) {
      throw ApiException.local(
          ErrorCode.CONFLICT.wire(),
          "your account has another identity than this device, which is to be linked or recovered");
    }
    return recovery.make(clock.instant());
  }

  Future<SealedRecovery.Opened> open(RecoveryKey key) {
    return look()
        .compose(_ -> calls.vault())
        .compose(
            vault ->
                vault.isEmpty()
                    ? Future.succeededFuture(Recovered.NO_VAULT)
                    : device.ask(own -> own.recovery().open(key, vault.get())))
        .compose(
            outcome ->
                (outcome == Recovered.DONE
                        ? takePart()
                        : Future.succeededFuture(Optional.<SealedState>empty()))
                    .map(state -> new SealedRecovery.Opened(outcome, state)));
  }

  /// Fails as `conflict` where this device takes part. The keys are published first: a device that
  /// the server takes none of is to put nobody else out.
  Future<Optional<SealedState>> reset() {
    if (part.isReady()) {
      return Future.failedFuture(
          ApiException.local(
              ErrorCode.CONFLICT.wire(), "this device has the identity of your account"));
    }
    return part.publish()
        .compose(_ -> look())
        .compose(_ -> device.ask(own -> own.recovery().reset()))
        .compose(made -> made.map(this::set).orElseGet(Future::succeededFuture))
        .compose(_ -> takePart());
  }

  /// Where no answer came the server may have it.
  private Future<Void> set(Opaque identity) {
    return calls
        .sign(identity)
        .recover(
            failure ->
                look()
                    .compose(_ -> device.ask(SealedDevice::isSigned))
                    .otherwise(false)
                    .compose(has -> has ? Future.succeededFuture() : Future.failedFuture(failure)));
  }

  private Future<Void> look() {
    roster.doubt(List.of(account));
    return roster.learn(List.of(account));
  }

  /// Where the server does not answer it goes on by itself.
  private Future<Optional<SealedState>> takePart() {
    return part.join()
        .timeout(MOST_WAITED.toMillis(), TimeUnit.MILLISECONDS)
        .map(Optional::of)
        .otherwise(Optional.empty());
  }
}
