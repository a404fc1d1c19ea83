package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.Recovery;
import io.confab.client.sealed.RecoveryKey;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Carries the vault of the account to and fro.
final class Recovering {
  private static final Duration MOST_WAITED = Duration.ofSeconds(10);

  private final AccountId account;
  private final ServerCalls calls;
  private final Roster roster;
  private final DeviceThread device;
  private final Supplier<Future<SealedState>> taking;
  private final InstantSource clock;

  /// @param taking takes part with the identity that this device has now
  Recovering(
      AccountId account,
      ServerCalls calls,
      Roster roster,
      DeviceThread device,
      InstantSource clock,
      Supplier<Future<SealedState>> taking) {
    this.account = account;
    this.calls = calls;
    this.roster = roster;
    this.device = device;
    this.clock = clock;
    this.taking = taking;
  }

  Future<Boolean> hasIdentity() {
    return device.ask(own -> own.recovery().hasIdentity());
  }

  Future<Optional<SealedRecovery.Present>> vault() {
    return calls
        .vault()
        .map(found -> found.map(vault -> new SealedRecovery.Present(Recovery.madeAt(vault))));
  }

  /// The person gets the key once the server has the vault. Fails as `conflict` where this device
  /// has another identity than its account.
  Future<Optional<RecoveryKey>> make() {
    roster.doubt(List.of(account));
    return roster
        .learn(List.of(account))
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
    roster.doubt(List.of(account));
    return roster
        .learn(List.of(account))
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

  /// Fails as `conflict` where this device has the identity of its account. What becomes of it is
  /// seen by what the server tells of the account afterwards.
  Future<Optional<SealedState>> reset() {
    roster.doubt(List.of(account));
    return roster
        .learn(List.of(account))
        .compose(_ -> device.ask(own -> own.recovery().reset().orElseThrow(Recovering::present)))
        .compose(identity -> calls.sign(identity).onFailure(_ -> roster.doubt(List.of(account))))
        .compose(_ -> takePart());
  }

  private static ApiException present() {
    return ApiException.local(
        ErrorCode.CONFLICT.wire(), "this device has the identity of your account");
  }

  /// Where the server does not answer it goes on by itself.
  private Future<Optional<SealedState>> takePart() {
    return taking
        .get()
        .timeout(MOST_WAITED.toMillis(), TimeUnit.MILLISECONDS)
        .map(Optional::of)
        .otherwise(Optional.empty());
  }
}
