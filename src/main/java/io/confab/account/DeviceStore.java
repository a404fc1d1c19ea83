package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.SignedInDevice;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Suite;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Devices and which sign-in each has now, in PostgreSQL: table `device`.
///
/// The row of a device is the lock for everything about its tokens: a transaction that changes
/// them holds it.
public final class DeviceStore {
  private final Database database;

  public DeviceStore(Database database) {
    this.database = database;
  }

  /// What became of a sign-in that was to begin.
  ///
  /// @param begun false: the account has as many devices as it may
  /// @param endedAnother whether the sign-in of another device ended to make room
  record SignedIn(boolean begun, boolean endedAnother) {}

  /// Begins a sign-in of the device, which is made if it is new and there is room, or room can be
  /// made. The transaction holds the account.
  ///
  /// @param connected the devices that have a session; null: not known
  Future<SignedIn> signIn(
      SqlClient transaction,
      Authenticated signIn,
      Device device,
      @Nullable Set<DeviceId> connected) {
    return transaction
        .preparedQuery("SELECT family, gone FROM sign_in_device($1, $2, $3, $4, $5, false, $6)")
        .mapping(row -> new SignedIn(row.getUUID("family") != null, row.getBoolean("gone")))
        .execute(
            Tuple.of(
                signIn.caller().account().value(),
                new String[] {device.id().value(), device.name(), device.platform()},
                signIn.family().value(),
                buffer(device.seenFrom()),
                buffer(device.issuedBy()),
                connected == null
                    ? null
                    : connected.stream().map(DeviceId::value).toArray(String[]::new)))
        .map(rows -> rows.iterator().next());
  }

  /// Devices that are signed in by another API key than this.
  Future<List<Caller>> findIssuedByOthers(byte[] apiKey, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT account_id, device_id FROM device
            WHERE issued_by IS NOT NULL AND family_id IS NOT NULL AND issued_by <> $1 LIMIT $2
            """)
        .mapping(
            row ->
                new Caller(
                    new AccountId(row.getLong("account_id")),
                    new DeviceId(row.getString("device_id"))))
        .execute(Tuple.of(Buffer.buffer(apiKey), limit))
        .map(rows -> rows.stream().toList());
  }

  /// Ends the sign-in of a device, if another API key than this began it.
  Future<Boolean> signOutIssued(SqlClient transaction, Caller caller, byte[] apiKey) {
    return transaction
        .preparedQuery(
            """
            UPDATE device SET family_id = NULL
            WHERE account_id = $1 AND device_id = $2 AND issued_by <> $3 AND family_id IS NOT NULL
            """)
        .execute(Tuple.of(caller.account().value(), caller.device().value(), Buffer.buffer(apiKey)))
        .map(rows -> rows.rowCount() == 1);
  }

  private static @Nullable Buffer buffer(byte @Nullable [] bytes) {
    return bytes == null ? null : Buffer.buffer(bytes);
  }

  /// Ends a sign-in, if it is the one that its device has.
  Future<Boolean> signOut(SqlClient transaction, Authenticated signIn) {
    return transaction
        .preparedQuery(
            """
            UPDATE device SET family_id = NULL
            WHERE account_id = $1 AND device_id = $2 AND family_id = $3
            """)
        .execute(
            Tuple.of(
                signIn.caller().account().value(),
                signIn.caller().device().value(),
                signIn.family().value()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// Ends the sign-ins of all devices of an account.
  Future<Void> signOutAll(SqlClient transaction, AccountId account) {
    return transaction
        .preparedQuery(
            """
            UPDATE device SET family_id = NULL WHERE account_id = $1 AND family_id IS NOT NULL
            """)
        .execute(Tuple.of(account.value()))
        .mapEmpty();
  }

  /// Ends the sign-ins of all devices of an account but this.
  Future<Void> signOutOthers(SqlClient transaction, Caller caller) {
    return transaction
        .preparedQuery(
            """
            UPDATE device SET family_id = NULL
            WHERE account_id = $1 AND device_id <> $2 AND family_id IS NOT NULL
            """)
        .execute(Tuple.of(caller.account().value(), caller.device().value()))
        .mapEmpty();
  }

  /// A device that was to be forgotten.
  ///
  /// @param was whether it was there
  /// @param version of the account's devices, if it had keys
  record Deleted(boolean was, @Nullable Long version) {}

  /// Forgets a device with all its tokens and keys.
  Future<Deleted> delete(SqlClient transaction, Caller device) {
    return transaction
        .preparedQuery(
            "DELETE FROM device WHERE account_id = $1 AND device_id = $2 RETURNING has_keys")
        .execute(Tuple.of(device.account().value(), device.device().value()))
        .compose(
            rows ->
                rows.size() == 1 && rows.iterator().next().getBoolean("has_keys")
                    ? version(transaction, device.account())
                        .map(version -> new Deleted(true, version))
                    : Future.succeededFuture(new Deleted(rows.size() == 1, null)));
  }

  private static Future<Long> version(SqlClient transaction, AccountId account) {
    return transaction
        .preparedQuery("SELECT version FROM account_identity WHERE account_id = $1")
        .execute(Tuple.of(account.value()))
        .map(rows -> rows.iterator().next().getLong("version"));
  }

  /// Forgets all devices of an account that was removed, with all their tokens, keys, and what
  /// belongs to these.
  Future<Void> deleteAll(SqlClient transaction, AccountId account) {
    return transaction
        .preparedQuery("DELETE FROM device WHERE account_id = $1")
        .execute(Tuple.of(account.value()))
        .compose(
            _ ->
                transaction
                    .preparedQuery("SELECT forget_keys($1)")
                    .execute(Tuple.of(account.value())))
        .mapEmpty();
  }

  /// Forgets devices without keys that signed out so long ago, and answers how many.
  Future<Integer> forgetSignedOut(SqlClient transaction, Duration kept, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM device WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM device
              WHERE family_id IS NULL AND NOT has_keys
                AND signed_out_at <= now() - $1::bigint * interval '1 ms'
              ORDER BY signed_out_at LIMIT $2 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(kept.toMillis(), most))
        .map(SqlResult::rowCount);
  }

  /// The devices of an account that are signed in or have keys, by their ids.
  ///
  /// @param after the id before the first, null: from the beginning
  Future<List<SignedInDevice>> list(Caller caller, @Nullable DeviceId after, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT d.device_id, name, platform, issued_by IS NOT NULL AS issued,
              (extract(epoch FROM d.created_at) * 1000)::bigint AS created,
              (extract(epoch FROM seen_at) * 1000)::bigint AS seen,
              (extract(epoch FROM signed_out_at) * 1000)::bigint AS signed_out,
              k.registration_id, k.suite
            FROM device d
            LEFT JOIN LATERAL (
              SELECT * FROM device_key k
              WHERE d.has_keys AND k.account_id = d.account_id AND k.device_id = d.device_id LIMIT 1) k
            ON true
            WHERE d.account_id = $1 AND d.device_id > $2 AND (family_id IS NOT NULL OR has_keys)
            ORDER BY d.device_id LIMIT $3
            """)
        .mapping(row -> listed(row, caller.device()))
        .execute(Tuple.of(caller.account().value(), after == null ? "" : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }

  /// As above, for operators: no device is the current one.
  public Future<List<SignedInDevice>> list(AccountId account, int limit) {
    return list(new Caller(account, new DeviceId("")), null, limit);
  }

  /// A device with another name.
  ///
  /// @param changed whether it had another one before
  record Renamed(SignedInDevice device, boolean changed) {}

  /// Empty for a device that is not signed in.
  Future<Optional<Renamed>> rename(
      SqlClient transaction, Caller caller, DeviceId device, String name) {
    return transaction
        .preparedQuery(
            """
            UPDATE device d SET name = $3
            FROM (SELECT name FROM device WHERE account_id = $1 AND device_id = $2
                    AND family_id IS NOT NULL FOR NO KEY UPDATE) AS before
            WHERE account_id = $1 AND device_id = $2
            RETURNING device_id, d.name, platform, issued_by IS NOT NULL AS issued,
              (extract(epoch FROM created_at) * 1000)::bigint AS created,
              (extract(epoch FROM seen_at) * 1000)::bigint AS seen,
              NULL::bigint AS signed_out,
              (SELECT k.registration_id FROM device_key k
               WHERE d.has_keys AND k.account_id = $1 AND k.device_id = $2) AS registration_id,
              (SELECT k.suite FROM device_key k
               WHERE d.has_keys AND k.account_id = $1 AND k.device_id = $2) AS suite,
              d.name <> before.name AS changed
            """)
        .mapping(row -> new Renamed(listed(row, caller.device()), row.getBoolean("changed")))
        .execute(Tuple.of(caller.account().value(), device.value(), name))
        .map(rows -> rows.stream().findFirst());
  }

  private static SignedInDevice listed(Row row, DeviceId current) {
    DeviceId id = new DeviceId(row.getString("device_id"));
    return new SignedInDevice(
        id,
        row.getString("name"),
        row.getString("platform"),
        id.equals(current),
        row.getLong("created"),
        row.getLong("seen"),
        row.getBoolean("issued") ? SignedInDevice.API_KEY : null,
        row.getLong("signed_out"),
        row.getLong("registration_id"),
        row.getString("suite") == null ? null : WireName.of(Suite.class, row.getString("suite")));
  }

  /// For each of these whether the device is signed in by just that; one statement for all.
  public Future<Map<Authenticated, Boolean>> areCurrent(List<Authenticated> signIns) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT account_id, device_id, family_id
            FROM unnest($1::bigint[], $2::text[], $3::uuid[]) AS asked (account_id, device_id, family_id)
            JOIN device USING (account_id, device_id, family_id)
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(column(signIns, s -> s.caller().account().value(), Long[]::new))
                .addArrayOfString(column(signIns, s -> s.caller().device().value(), String[]::new))
                .addArrayOfUUID(column(signIns, s -> s.family().value(), UUID[]::new)))
        .map(
            rows -> {
              Set<Authenticated> current = authenticated(rows);
              return new HashSet<>(signIns)
                  .stream().collect(Collectors.toMap(Function.identity(), current::contains));
            });
  }

  Future<Void> describe(Caller caller, String name, String platform) {
    return database
        .client()
        .preparedQuery(
            """
            UPDATE device SET name = $3, platform = $4
            WHERE account_id = $1 AND device_id = $2 AND (name, platform) IS DISTINCT FROM ($3, $4)
            """)
        .execute(Tuple.of(caller.account().value(), caller.device().value(), name, platform))
        .mapEmpty();
  }

  static Set<Authenticated> authenticated(RowSet<Row> rows) {
    return rows.stream()
        .map(
            row ->
                new Authenticated(
                    new Caller(
                        new AccountId(row.getLong("account_id")),
                        new DeviceId(row.getString("device_id"))),
                    new FamilyId(row.getUUID("family_id"))))
        .collect(Collectors.toSet());
  }

  private static <T> T[] column(
      List<Authenticated> signIns, Function<Authenticated, T> value, IntFunction<T[]> array) {
    return signIns.stream().map(value).toArray(array);
  }
}
