package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Begins, prolongs and ends the sign-ins of devices, each in one transaction under the lock of
/// the device, so that nodes may do it at once.
public final class SignIns {
  private final AnnouncedTransactions transactions;
  private final DeviceStore devices;
  private final RefreshTokenStore tokens;
  private final RefreshPolicy policy;
  private final Function<AccountId, Future<Set<DeviceId>>> connected;
  private final SecureRandom random;

  /// How refresh tokens are made.
  ///
  /// @param successors from which they are derived; the same on all nodes
  public record RefreshPolicy(KeyedDigest successors, Duration ttl) {}

  /// @param connected the devices of an account that have a session now
  public SignIns(
      AnnouncedTransactions transactions,
      DeviceStore devices,
      RefreshTokenStore tokens,
      RefreshPolicy policy,
      Function<AccountId, Future<Set<DeviceId>>> connected,
      SecureRandom random) {
    this.transactions = transactions;
    this.devices = devices;
    this.tokens = tokens;
    this.policy = policy;
    this.connected = connected;
    this.random = random;
  }

  /// A sign-in that began.
  ///
  /// @param signals whose sign-ins ended by it
  record Begun(Authenticated signIn, OpaqueToken token, List<AccountSignal> signals) {
    /// As one that a backend began: the account is told.
    ///
    /// @param version of its devices
    Outcome<Begun> told(long version) {
      List<AccountSignal> all = new ArrayList<>(signals);
      all.add(new AccountSignal.DevicesChanged(signIn.caller().account(), version));
      return new Outcome<>(this, all);
    }
  }

  /// What signs a device in within a transaction that holds the account.
  ///
  /// @param <T> what it answers
  interface Attempt<T> {
    /// @param connected the devices that have a session, as [#begin] takes it
    Future<Outcome<T>> in(SqlClient transaction, @Nullable Set<DeviceId> connected);
  }

  /// Runs the attempt in a transaction of its own, and once more where another device that is
  /// signed in would have to go for it: only then is it asked who is connected, and no lock is held
  /// meanwhile. Refusal: `conflict` (`device`) where all devices of the account have to stay.
  <T> Future<T> makingRoom(Attempt<T> attempt) {
    return transactions
        .run(transaction -> attempt.in(transaction, null))
        .recover(
            failure ->
                failure instanceof NoRoomException full
                    ? connected
                        .apply(full.account())
                        .compose(busy -> transactions.run(again -> attempt.in(again, busy)))
                    : Future.failedFuture(failure));
  }

  /// Signs a device in as part of an attempt.
  ///
  /// @param connected the devices that must not go for it; null: not known, so that only a device
  ///     goes that is signed out
  Future<Begun> begin(
      SqlClient transaction, Caller caller, Device device, @Nullable Set<DeviceId> connected) {
    Authenticated signIn = new Authenticated(caller, new FamilyId(randomUuid()));
    OpaqueToken token = OpaqueToken.random(random);
    return signIn(transaction, signIn, device, connected)
        .compose(
            another ->
                tokens
                    .deleteAll(transaction, caller)
                    .map(deleted -> ended(caller, deleted > 0, another)))
        .compose(
            signals ->
                tokens
                    .insert(transaction, token, signIn, policy.ttl())
                    .map(_ -> new Begun(signIn, token, signals)));
  }

  private static List<AccountSignal> ended(Caller caller, boolean own, boolean another) {
    if (another) {
      return List.of(new AccountSignal.SignInsEnded(caller.account()));
    }
    return own ? List.of(revoked(caller)) : List.of();
  }

  /// Answers whether the sign-in of another device ended for it.
  private Future<Boolean> signIn(
      SqlClient transaction,
      Authenticated signIn,
      Device device,
      @Nullable Set<DeviceId> connected) {
    return devices
        .signIn(transaction, signIn, device, connected)
        .map(
            signedIn -> {
              if (!signedIn.begun()) {
                throw connected == null
                    ? new NoRoomException(signIn.caller().account())
                    : Devices.tooMany();
              }
              return signedIn.endedAnother();
            });
  }

  /// Signs the device of a bot in, as [#begin] does; the token is no refresh token, and not kept.
  Future<Begun> beginBot(
      SqlClient transaction, Caller caller, Device device, @Nullable Set<DeviceId> connected) {
    Authenticated signIn = new Authenticated(caller, new FamilyId(randomUuid()));
    OpaqueToken token = OpaqueToken.random(random);
    return signIn(transaction, signIn, device, connected)
        .map(another -> new Begun(signIn, token, ended(caller, false, another)));
  }

  /// Ends a sign-in that another API key than this began.
  Future<Void> endIssued(Caller caller, ApiKeyId current) {
    return transactions
        .run(
            transaction ->
                devices
                    .signOutIssued(transaction, caller, current.bytes())
                    .compose(
                        ended ->
                            ended
                                ? tokens
                                    .deleteAll(transaction, caller)
                                    .map(_ -> Outcome.signalling(ended, revoked(caller)))
                                : Future.succeededFuture(Outcome.quiet(ended))))
        .mapEmpty();
  }

  /// What became of a refresh token.
  sealed interface Refreshed {
    record Renewed(Authenticated signIn, OpaqueToken token) implements Refreshed {}

    record Revoked(Caller caller) implements Refreshed {}

    record Refused() implements Refreshed {}
  }

  /// Trades a refresh token for its successor.
  ///
  /// @param from the address group of the client
  Future<Refreshed> refresh(OpaqueToken token, String from) {
    OpaqueToken successor = token.successor(policy.successors());
    return transactions.run(
        transaction ->
            tokens
                .lock(transaction, token, successor)
                .compose(state -> decide(transaction, token, successor, from, state))
                .map(
                    refreshed ->
                        refreshed instanceof Refreshed.Revoked(Caller caller)
                            ? Outcome.signalling(refreshed, revoked(caller))
                            : Outcome.quiet(refreshed)));
  }

  private Future<Refreshed> decide(
      SqlClient transaction,
      OpaqueToken token,
      OpaqueToken successor,
      String from,
      Optional<RefreshTokenState> found) {
    if (found.isEmpty()) {
      return Future.succeededFuture(new Refreshed.Refused());
    }
    Authenticated signIn = found.get().signIn();
    return switch (found.get().verdict()) {
      case ROTATE ->
          tokens
              .spend(transaction, token, signIn.caller(), Salts.seenFrom(policy.successors(), from))
              .compose(_ -> tokens.insert(transaction, successor, signIn, policy.ttl()))
              .map(_ -> new Refreshed.Renewed(signIn, successor));
      case REPEAT -> Future.succeededFuture(new Refreshed.Renewed(signIn, successor));
      case REVOKE -> end(transaction, signIn).map(_ -> new Refreshed.Revoked(signIn.caller()));
      case REFUSE -> Future.succeededFuture(new Refreshed.Refused());
    };
  }

  /// Ends a sign-in, if it has not ended; answers what [AccountCommand.SignedOut] tells.
  ///
  /// @param kept by the client
  Future<Boolean> end(Authenticated signIn, @Nullable OpaqueToken kept) {
    return transactions.run(
        transaction ->
            end(transaction, signIn)
                .compose(
                    _ ->
                        kept == null
                            ? Future.succeededFuture(true)
                            : tokens.isOver(transaction, kept, signIn.caller()))
                .map(over -> Outcome.signalling(over, revoked(signIn.caller()))));
  }

  static AccountSignal revoked(Caller caller) {
    return new AccountSignal.Revoked(caller.account(), caller.device());
  }

  /// Ends the sign-ins of all devices of an account, as part of a transaction.
  Future<Void> endAll(SqlClient transaction, AccountId account) {
    return devices
        .signOutAll(transaction, account)
        .compose(_ -> tokens.deleteAll(transaction, account));
  }

  /// Ends the sign-ins of all other devices of an account, as part of a transaction.
  Future<Void> endOthers(SqlClient transaction, Caller caller) {
    return devices
        .signOutOthers(transaction, caller)
        .compose(_ -> tokens.deleteOthers(transaction, caller));
  }

  private Future<Boolean> end(SqlClient transaction, Authenticated signIn) {
    return devices
        .signOut(transaction, signIn)
        .compose(
            ended ->
                ended
                    ? tokens.deleteAll(transaction, signIn.caller()).map(true)
                    : Future.succeededFuture(false));
  }

  private UUID randomUuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }
}
