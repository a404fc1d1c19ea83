package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Refresh tokens in PostgreSQL: table `refresh_token`. All calls belong into a transaction
/// that locks the device first.
public final class RefreshTokenStore {

  /// Locks the device of a token and answers its state; nothing for a token that is not known.
  Future<Optional<RefreshTokenState>> lock(
      SqlClient transaction, OpaqueToken token, OpaqueToken successor) {
    return transaction
        .preparedQuery(
            """
            SELECT family_id FROM device WHERE (account_id, device_id) = (
              SELECT account_id, device_id FROM refresh_token WHERE token_hash = $1)
            FOR UPDATE
            """)
        .execute(Tuple.of(Buffer.buffer(token.hash())))
        .compose(
            rows ->
                rows.size() == 0
                    ? Future.succeededFuture(Optional.empty())
                    : read(
                        transaction,
                        rows.iterator().next().getUUID("family_id"),
                        token,
                        successor));
  }

  /// A statement of its own, so that it sees what was committed while the lock was waited for.
  private static Future<Optional<RefreshTokenState>> read(
      SqlClient transaction, @Nullable UUID current, OpaqueToken token, OpaqueToken successor) {
    return transaction
        .preparedQuery(
            """
            SELECT account_id, device_id, family_id,
              expires_at <= clock_timestamp() AS expired,
              (extract(epoch FROM clock_timestamp() - spent_at) * 1000)::bigint AS spent_ms,
              (SELECT spent_at IS NULL FROM refresh_token WHERE token_hash = $2) AS successor_unused
            FROM refresh_token WHERE token_hash = $1
            """)
        .mapping(row -> state(row, current))
        .execute(Tuple.of(Buffer.buffer(token.hash()), Buffer.buffer(successor.hash())))
        .map(rows -> rows.stream().findFirst());
  }

  private static RefreshTokenState state(Row row, @Nullable UUID current) {
    UUID family = row.getUUID("family_id");
    Long spent = row.getLong("spent_ms");
    Authenticated signIn =
        new Authenticated(
            new Caller(
                new AccountId(row.getLong("account_id")), new DeviceId(row.getString("device_id"))),
            new FamilyId(family));
    return new RefreshTokenState(
        signIn,
        family.equals(current),
        row.getBoolean("expired"),
        Optional.ofNullable(spent).map(Duration::ofMillis),
        Boolean.TRUE.equals(row.getBoolean("successor_unused")));
  }

  Future<Void> insert(
      SqlClient transaction, OpaqueToken token, Authenticated signIn, Duration ttl) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO refresh_token (token_hash, account_id, device_id, family_id, expires_at)
            VALUES ($1, $2, $3, $4, now() + $5::bigint * interval '1 ms')
            """)
        .execute(
            Tuple.of(
                Buffer.buffer(token.hash()),
                signIn.caller().account().value(),
                signIn.caller().device().value(),
                signIn.family().value(),
                ttl.toMillis()))
        .mapEmpty();
  }

  /// Marks the token as spent and its device as seen, and deletes expired tokens of the device.
  Future<Void> spend(SqlClient transaction, OpaqueToken token, Caller caller, byte[] seenFrom) {
    return transaction
        .preparedQuery(
            """
            WITH expired AS (
              DELETE FROM refresh_token
              WHERE account_id = $2 AND device_id = $3 AND expires_at < now() AND token_hash <> $1),
            seen AS (
              UPDATE device SET seen_at = now(), seen_from = $4
              WHERE account_id = $2 AND device_id = $3)
            UPDATE refresh_token SET spent_at = clock_timestamp() WHERE token_hash = $1
            """)
        .execute(
            Tuple.of(
                Buffer.buffer(token.hash()),
                caller.account().value(),
                caller.device().value(),
                Buffer.buffer(seenFrom)))
        .mapEmpty();
  }

  /// Deletes tokens that expired more than a day ago, ends the sign-ins of which they were the last
  /// ones, and answers how many tokens. Locks the devices itself.
  Future<Integer> forgetExpired(SqlClient transaction, int most) {
    return transaction
        .preparedQuery("SELECT forgotten FROM forget_expired_tokens($1)")
        .mapping(row -> row.getInteger("forgotten"))
        .execute(Tuple.of(most))
        .map(rows -> rows.iterator().next());
  }

  /// Whether a token is of no sign-in any more, and the device has none either.
  Future<Boolean> isOver(SqlClient transaction, OpaqueToken token, Caller device) {
    return transaction
        .preparedQuery(
            """
            SELECT NOT EXISTS (SELECT FROM refresh_token WHERE token_hash = $1)
               AND NOT EXISTS (SELECT FROM device WHERE account_id = $2 AND device_id = $3
                                                    AND family_id IS NOT NULL)
            """)
        .mapping(row -> row.getBoolean(0))
        .execute(
            Tuple.of(
                Buffer.buffer(token.hash()), device.account().value(), device.device().value()))
        .map(rows -> rows.iterator().next());
  }

  /// Deletes all tokens of a device and answers how many that were.
  Future<Integer> deleteAll(SqlClient transaction, Caller caller) {
    return transaction
        .preparedQuery("DELETE FROM refresh_token WHERE account_id = $1 AND device_id = $2")
        .execute(Tuple.of(caller.account().value(), caller.device().value()))
        .map(rows -> rows.rowCount());
  }

  /// Deletes the tokens of all devices of an account but this.
  Future<Void> deleteOthers(SqlClient transaction, Caller caller) {
    return transaction
        .preparedQuery("DELETE FROM refresh_token WHERE account_id = $1 AND device_id <> $2")
        .execute(Tuple.of(caller.account().value(), caller.device().value()))
        .mapEmpty();
  }

  Future<Void> deleteAll(SqlClient transaction, AccountId account) {
    return transaction
        .preparedQuery("DELETE FROM refresh_token WHERE account_id = $1")
        .execute(Tuple.of(account.value()))
        .mapEmpty();
  }
}
