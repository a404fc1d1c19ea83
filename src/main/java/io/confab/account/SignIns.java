package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.postgres.Database;
import io.confab.protocol.Caller;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/// Begins, prolongs and ends the sign-ins of devices, each in one transaction under the lock of
/// the device, so that nodes may do it at once.
public final class SignIns {
  private final Database database;
  private final DeviceStore devices;
  private final RefreshTokenStore tokens;
  private final RefreshPolicy policy;
  private final SecureRandom random;

  /// How refresh tokens are made.
  ///
  /// @param key from which successors are derived; the same on all nodes
  public record RefreshPolicy(byte[] key, Duration ttl) {}

  public SignIns(
      Database database,
      DeviceStore devices,
      RefreshTokenStore tokens,
      RefreshPolicy policy,
      SecureRandom random) {
    this.database = database;
    this.devices = devices;
    this.tokens = tokens;
    this.policy = policy;
    this.random = random;
  }

  /// A sign-in that began.
  ///
  /// @param endedAnother whether the device was signed in before
  record Begun(Authenticated signIn, OpaqueToken token, boolean endedAnother) {}

  /// Signs a device in as part of a transaction.
  Future<Begun> begin(SqlClient transaction, Caller caller, Device device) {
    Authenticated signIn = new Authenticated(caller, new FamilyId(randomUuid()));
    OpaqueToken token = OpaqueToken.random(random);
    return devices
        .signIn(transaction, signIn, device)
        .compose(_ -> tokens.deleteAll(transaction, caller))
        .compose(
            deleted ->
                tokens
                    .insert(transaction, token, signIn, policy.ttl())
                    .map(_ -> new Begun(signIn, token, deleted > 0)));
  }

  /// What became of a refresh token.
  sealed interface Refreshed {
    record Renewed(Authenticated signIn, OpaqueToken token) implements Refreshed {}

    record Revoked(Caller caller) implements Refreshed {}

    record Refused() implements Refreshed {}
  }

  /// Trades a refresh token for its successor.
  Future<Refreshed> refresh(OpaqueToken token) {
    OpaqueToken successor = token.successor(policy.key());
    return database.transaction(
        transaction ->
            tokens
                .lock(transaction, token, successor)
                .compose(state -> decide(transaction, token, successor, state)));
  }

  private Future<Refreshed> decide(
      SqlClient transaction,
      OpaqueToken token,
      OpaqueToken successor,
      Optional<RefreshTokenState> found) {
    if (found.isEmpty()) {
      return Future.succeededFuture(new Refreshed.Refused());
    }
    Authenticated signIn = found.get().signIn();
    return switch (found.get().verdict()) {
      case ROTATE ->
          tokens
              .spend(transaction, token, signIn.caller())
              .compose(_ -> tokens.insert(transaction, successor, signIn, policy.ttl()))
              .map(_ -> new Refreshed.Renewed(signIn, successor));
      case REPEAT ->
          tokens.respend(transaction, token).map(_ -> new Refreshed.Renewed(signIn, successor));
      case REVOKE ->
          end(transaction, signIn.caller()).map(_ -> new Refreshed.Revoked(signIn.caller()));
      case REFUSE -> Future.succeededFuture(new Refreshed.Refused());
    };
  }

  /// Ends the sign-in of a device; false when it had none.
  Future<Boolean> end(Caller caller) {
    return database.transaction(transaction -> end(transaction, caller));
  }

  private Future<Boolean> end(SqlClient transaction, Caller caller) {
    return devices
        .signOut(transaction, caller)
        .compose(ended -> tokens.deleteAll(transaction, caller).map(_ -> ended));
  }

  private UUID randomUuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }
}
