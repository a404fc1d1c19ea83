package io.confab.account;

import io.confab.account.AccountCommand.AccountState;
import io.confab.account.AccountCommand.AccountStatus;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What accounts are on the server as a whole, in PostgreSQL: role, suspension and removal in
/// table `account`.
public final class AccountStatusStore {
  private static final String COLUMNS =
      "account_id, role, suspended_at IS NOT NULL AS suspended, removed_at IS NOT NULL AS removed";

  static final String COUNT_CHANGES =
      """
      SELECT asked.account_id, coalesce(c.number, 0) AS number, coalesce(c.markers, 0) AS markers,
             coalesce(c.chosen, 0) AS chosen, c.status,
             (extract(epoch FROM now()) * 1000)::bigint AS at_ms
      FROM unnest($1::bigint[]) AS asked (account_id)
      LEFT JOIN account_changes c USING (account_id)
      """;

  private static final int MOST_WAITING = 20_000;

  private final Database database;
  private final BatchedRead<AccountId, Map<AccountId, AccountStatus>> found;

  public AccountStatusStore(Database database) {
    this.database = database;
    this.found = new BatchedRead<>(MOST_WAITING, this::read);
  }

  /// Reads what an account is. One statement serves all calls made at the same time. Refusals:
  /// `not_found`, also for a removed account; `unavailable`, when too many wait.
  Future<AccountStatus> require(AccountId account) {
    return found
        .read(List.of(account))
        .map(all -> Optional.ofNullable(all.get(account)).filter(status -> !status.removed()))
        .map(status -> status.orElseThrow(AccountRules::noSuchAccount));
  }

  /// The statuses of these accounts, without ids that were never given out; one statement for
  /// all.
  public Future<Map<AccountId, AccountStatus>> read(List<AccountId> accounts) {
    Long[] ids = accounts.stream().map(AccountId::value).distinct().toArray(Long[]::new);
    return database
        .client()
        .preparedQuery("SELECT " + COLUMNS + " FROM account WHERE account_id = ANY ($1)")
        .execute(Tuple.tuple().addArrayOfLong(ids))
        .map(AccountStatusStore::statuses);
  }

  /// Accounts that are not removed, by their ids.
  public Future<List<AccountState>> list(@Nullable AccountId after, int limit) {
    return states(
        "account_id > $1 AND removed_at IS NULL ORDER BY account_id LIMIT $2",
        after == null ? -1 : after.value(),
        limit);
  }

  /// Refusal: `not_found`, also for a removed one.
  public Future<AccountState> find(AccountId account) {
    return states("account_id = $1 AND removed_at IS NULL LIMIT $2", account.value(), 1)
        .map(found -> found.stream().findFirst().orElseThrow(AccountRules::noSuchAccount));
  }

  private Future<List<AccountState>> states(String which, long account, int limit) {
    return database
        .client()
        .preparedQuery("SELECT handle, display_name, " + COLUMNS + " FROM account WHERE " + which)
        .mapping(
            row ->
                new AccountState(
                    new AccountId(row.getLong("account_id")),
                    row.getString("handle"),
                    row.getString("display_name"),
                    WireName.of(ServerRole.class, row.getString("role")),
                    row.getBoolean("suspended")))
        .execute(Tuple.of(account, limit))
        .map(rows -> rows.stream().toList());
  }

  /// How often each of these accounts changed; one statement for all.
  Future<Map<AccountId, ChangeCount>> countChanges(List<AccountId> accounts) {
    return database
        .client()
        .preparedQuery(COUNT_CHANGES)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(accounts.stream().map(AccountId::value).toArray(Long[]::new)))
        .map(
            rows ->
                rows.stream()
                    .collect(
                        Collectors.toMap(
                            row -> new AccountId(row.getLong("account_id")),
                            AccountStatusStore::changeCount)));
  }

  private static ChangeCount changeCount(Row row) {
    return changeCount(row, "number");
  }

  /// @param number the column of [ChangeCount#value]
  public static ChangeCount changeCount(Row row, String number) {
    String status = row.getString("status");
    return new ChangeCount(
        row.getLong(number),
        row.getLong("markers"),
        row.getLong("at_ms"),
        new ChosenStatus(
            row.getLong("chosen"),
            status == null ? null : WireName.of(PresenceStatus.class, status)));
  }

  /// Counts a change of an account that no trigger counts, and answers the version of its devices.
  Future<Long> countChange(SqlClient transaction, AccountId account) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO account_changes AS c (account_id, number) VALUES ($1, 1)
            ON CONFLICT (account_id) DO UPDATE SET number = c.number + 1
            """)
        .execute(Tuple.of(account.value()))
        .compose(
            _ ->
                transaction
                    .preparedQuery("SELECT raise_devices($1) AS version")
                    .execute(Tuple.of(account.value())))
        .map(rows -> rows.iterator().next().getLong("version"));
  }

  /// The status of an account; neither it nor the set of the devices can change before the
  /// transaction ends.
  Future<Optional<AccountStatus>> hold(SqlClient transaction, AccountId account) {
    return change(
        transaction,
        "SELECT " + COLUMNS + " FROM account WHERE account_id = $1 FOR NO KEY UPDATE",
        account);
  }

  /// Returns the new status of the account; empty for an account that is not there.
  Future<Optional<AccountStatus>> suspend(SqlClient transaction, AccountId account) {
    return change(
        transaction,
        """
        UPDATE account SET suspended_at = coalesce(suspended_at, now())
        WHERE account_id = $1 AND removed_at IS NULL
        RETURNING
        """
            + COLUMNS,
        account);
  }

  /// As [#suspend].
  Future<Optional<AccountStatus>> restore(SqlClient transaction, AccountId account) {
    return change(
        transaction,
        """
        UPDATE account SET suspended_at = NULL WHERE account_id = $1 AND removed_at IS NULL
        RETURNING
        """
            + COLUMNS,
        account);
  }

  /// Removed accounts whose memberships have not ended yet, though they have had that long to.
  Future<List<AccountId>> leaving(Duration atLeast, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT account_id FROM account
            WHERE leaving AND removed_at <= now() - $1::bigint * interval '1 millisecond' LIMIT $2
            """)
        .mapping(row -> new AccountId(row.getLong("account_id")))
        .execute(Tuple.of(atLeast.toMillis(), limit))
        .map(rows -> rows.stream().toList());
  }

  /// The memberships of a removed account have ended.
  Future<Void> left(AccountId account) {
    return database
        .client()
        .preparedQuery("UPDATE account SET leaving = false WHERE account_id = $1")
        .execute(Tuple.of(account.value()))
        .mapEmpty();
  }

  /// Removes the account with its password; harmless when repeated. Empty for an account that
  /// was never there.
  Future<Optional<AccountStatus>> remove(SqlClient transaction, AccountId account) {
    return transaction
        .preparedQuery("DELETE FROM credential WHERE account_id = $1")
        .execute(Tuple.of(account.value()))
        .compose(
            _ ->
                change(
                    transaction,
                    """
                    UPDATE account SET removed_at = coalesce(removed_at, now()), leaving = true
                    WHERE account_id = $1 RETURNING
                    """
                        + COLUMNS,
                    account));
  }

  private static Future<Optional<AccountStatus>> change(
      SqlClient transaction, String statement, AccountId account) {
    return transaction
        .preparedQuery(statement)
        .execute(Tuple.of(account.value()))
        .map(rows -> Optional.ofNullable(statuses(rows).get(account)));
  }

  private static Map<AccountId, AccountStatus> statuses(RowSet<Row> rows) {
    return rows.stream()
        .collect(
            Collectors.toMap(
                row -> new AccountId(row.getLong("account_id")),
                row ->
                    new AccountStatus(
                        WireName.of(ServerRole.class, row.getString("role")),
                        row.getBoolean("suspended"),
                        row.getBoolean("removed"))));
  }
}
