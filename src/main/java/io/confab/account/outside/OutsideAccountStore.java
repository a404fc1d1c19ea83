package io.confab.account.outside;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.FamilyId;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The identities that accounts have at outside issuers, in PostgreSQL: table
/// `outside_identity`, with the accounts and devices that are made for them.
public final class OutsideAccountStore {
  private static final String STANDING =
      "suspended_at IS NOT NULL AS suspended, removed_at IS NOT NULL AS removed";

  private final Database database;

  public OutsideAccountStore(Database database) {
    this.database = database;
  }

  /// The account of an identity.
  public record Found(AccountId account, boolean suspended, boolean removed) {

    /// Refusals: `unauthorized` for a removed account.
    ///
    /// @param whenSuspended the refusal for a suspended one
    void requireActive(ErrorCode whenSuspended) {
      if (removed) {
        throw new Refusal(ErrorCode.UNAUTHORIZED, "no such account");
      }
      if (suspended) {
        throw new Refusal(whenSuspended, "the account is suspended");
      }
    }
  }

  /// Somebody who comes with a device.
  ///
  /// @param family the sign-in that the device gets if it has none
  public record Arrival(
      OutsideIdentity identity, DeviceId device, String name, String platform, FamilyId family) {}

  /// @param signIn null when the account may not, or has no room for another device
  public record Arrived(Found account, @Nullable Authenticated signIn) {
    boolean hasNoRoom() {
      return signIn == null && !account.suspended() && !account.removed();
    }
  }

  /// The accounts of these identities, without identities that have none; one statement for all.
  public Future<Map<OutsideIdentity, Found>> find(List<OutsideIdentity> identities) {
    return find(database.client(), identities);
  }

  Future<Optional<Found>> find(SqlClient client, OutsideIdentity identity) {
    return find(client, List.of(identity)).map(found -> Optional.ofNullable(found.get(identity)));
  }

  private static Future<Map<OutsideIdentity, Found>> find(
      SqlClient client, List<OutsideIdentity> identities) {
    return client
        .preparedQuery(
            """
            SELECT place, account_id,
            """
                + STANDING
                + """

                FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (issuer, subject, place)
                JOIN outside_identity USING (issuer, subject) JOIN account USING (account_id)
                """)
        .execute(
            Tuple.tuple()
                .addArrayOfString(column(identities, OutsideIdentity::issuer, String[]::new))
                .addArrayOfString(column(identities, OutsideIdentity::subject, String[]::new)))
        .map(
            rows -> {
              Map<OutsideIdentity, Found> found = new HashMap<>();
              rows.forEach(row -> found.put(identities.get(place(row)), found(row)));
              return found;
            });
  }

  /// Signs in the devices of active accounts; one statement for all. A device that is signed in
  /// stays so. The statement holds the accounts until it is done, so that none is suspended
  /// meanwhile. Where an account has as many devices as it may, one that is signed out goes.
  public Future<Map<Arrival, Arrived>> arrive(List<Arrival> arrivals) {
    return arrive(arrivals, null);
  }

  /// As above, but also a device goes that is signed in.
  ///
  /// @param connected the devices that have a session, which stay
  Future<Optional<Arrived>> arrive(Arrival arrival, Set<DeviceId> connected) {
    return arrive(List.of(arrival), connected)
        .map(arrived -> Optional.ofNullable(arrived.get(arrival)));
  }

  private Future<Map<Arrival, Arrived>> arrive(
      List<Arrival> arrivals, @Nullable Set<DeviceId> connected) {
    return database
        .client()
        .preparedQuery(
            """
            WITH known AS (
              SELECT * FROM
                unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
                WITH ORDINALITY
                AS asked (issuer, subject, device_id, name, platform, new_family_id, place)
              JOIN outside_identity USING (issuer, subject)),
            held AS MATERIALIZED (
              SELECT account_id,
            """
                + STANDING
                + """

                  FROM account WHERE account_id IN (SELECT account_id FROM known)
                  ORDER BY account_id FOR NO KEY UPDATE)
                SELECT place, account_id, suspended, removed,
                  CASE WHEN NOT suspended AND NOT removed THEN (
                    SELECT family FROM sign_in_device(
                      account_id, ARRAY[device_id, name, platform], new_family_id, NULL, NULL, true,
                      $7))
                  END AS family_id
                FROM (SELECT * FROM known JOIN held USING (account_id) ORDER BY place OFFSET 0) AS each
                """)
        .execute(
            Tuple.tuple()
                .addArrayOfString(column(arrivals, a -> a.identity().issuer(), String[]::new))
                .addArrayOfString(column(arrivals, a -> a.identity().subject(), String[]::new))
                .addArrayOfString(column(arrivals, a -> a.device().value(), String[]::new))
                .addArrayOfString(column(arrivals, Arrival::name, String[]::new))
                .addArrayOfString(column(arrivals, Arrival::platform, String[]::new))
                .addArrayOfUUID(column(arrivals, a -> a.family().value(), UUID[]::new))
                .addArrayOfString(
                    connected == null
                        ? null
                        : connected.stream().map(DeviceId::value).toArray(String[]::new)))
        .map(
            rows -> {
              Map<Arrival, Arrived> arrived = new HashMap<>();
              rows.forEach(
                  row -> {
                    Arrival arrival = arrivals.get(place(row));
                    arrived.put(arrival, arrived(arrival, row));
                  });
              return arrived;
            });
  }

  /// Takes an identity for an account that is still to be made; false when it has one. Of two
  /// transactions that do so at once, the second waits for the first.
  Future<Boolean> claim(SqlClient transaction, OutsideIdentity identity, AccountId account) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO outside_identity (issuer, subject, account_id) VALUES ($1, $2, $3)
            ON CONFLICT (issuer, subject) DO NOTHING
            """)
        .execute(Tuple.of(identity.issuer(), identity.subject(), account.value()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// Makes an account that has no password; false when the handle is taken.
  Future<Boolean> insert(
      SqlClient transaction, AccountId account, String handle, String displayName) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO account (account_id, handle, display_name) VALUES ($1, $2, $3)
            ON CONFLICT (handle) DO NOTHING
            """)
        .execute(Tuple.of(account.value(), handle, displayName))
        .map(rows -> rows.rowCount() == 1);
  }

  private static int place(Row row) {
    return row.getInteger("place") - 1;
  }

  private static Found found(Row row) {
    return new Found(
        new AccountId(row.getLong("account_id")),
        row.getBoolean("suspended"),
        row.getBoolean("removed"));
  }

  private static Arrived arrived(Arrival arrival, Row row) {
    Found found = found(row);
    UUID family = row.getUUID("family_id");
    return new Arrived(
        found,
        family == null
            ? null
            : new Authenticated(
                new Caller(found.account(), arrival.device()), new FamilyId(family)));
  }

  private static <Q, T> T[] column(
      List<Q> questions, Function<Q, T> value, IntFunction<T[]> array) {
    return questions.stream().map(value).toArray(array);
  }
}
