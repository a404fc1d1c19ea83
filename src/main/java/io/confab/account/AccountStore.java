package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// Accounts and their passwords in PostgreSQL: tables `account` and `credential`.
public final class AccountStore {
  private static final String COLUMNS = "account_id, handle, display_name";

  private final Database database;

  public AccountStore(Database database) {
    this.database = database;
  }

  /// Adds an account with its password; false when the handle is taken.
  Future<Boolean> insert(Account account, ServerRole role, String passwordHash) {
    return database
        .client()
        .preparedQuery(
            """
            WITH added AS (
              INSERT INTO account (account_id, handle, display_name, role) VALUES ($1, $2, $3, $4)
              ON CONFLICT (handle) DO NOTHING RETURNING account_id)
            INSERT INTO credential (account_id, password_hash) SELECT account_id, $5 FROM added
            """)
        .execute(
            Tuple.of(
                account.accountId().value(),
                account.handle(),
                account.displayName(),
                role.key(),
                passwordHash))
        .map(rows -> rows.rowCount() == 1);
  }

  Future<Optional<Account>> findByHandle(String handle) {
    return database
        .client()
        .preparedQuery("SELECT " + COLUMNS + " FROM account WHERE handle = $1")
        .execute(Tuple.of(handle))
        .map(rows -> accounts(rows).stream().findFirst());
  }

  Future<List<Account>> findByIds(List<AccountId> ids) {
    Long[] values = ids.stream().map(AccountId::value).toArray(Long[]::new);
    return database
        .client()
        .preparedQuery("SELECT " + COLUMNS + " FROM account WHERE account_id = ANY ($1)")
        .execute(Tuple.tuple().addArrayOfLong(values))
        .map(AccountStore::accounts);
  }

  /// A stored password: whose it is, and its hash.
  record Credential(AccountId account, String passwordHash) {}

  Future<Optional<Credential>> findCredential(String handle) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT account_id, password_hash FROM account JOIN credential USING (account_id)
            WHERE handle = $1
            """)
        .execute(Tuple.of(handle))
        .map(
            rows ->
                StreamSupport.stream(rows.spliterator(), false)
                    .map(
                        row ->
                            new Credential(
                                new AccountId(row.getLong("account_id")),
                                row.getString("password_hash")))
                    .findFirst());
  }

  /// Whether the password is still this one; it cannot change before the transaction ends.
  Future<Boolean> holdCredential(SqlClient transaction, Credential credential) {
    return transaction
        .preparedQuery(
            """
            SELECT FROM credential WHERE account_id = $1 AND password_hash = $2 FOR SHARE
            """)
        .execute(Tuple.of(credential.account().value(), credential.passwordHash()))
        .map(rows -> rows.size() == 1);
  }

  Future<Void> setPassword(SqlClient transaction, AccountId account, String passwordHash) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO credential (account_id, password_hash) VALUES ($1, $2)
            ON CONFLICT (account_id) DO UPDATE SET password_hash = EXCLUDED.password_hash
            """)
        .execute(Tuple.of(account.value(), passwordHash))
        .mapEmpty();
  }

  /// False when there is no such account.
  Future<Boolean> setRole(String handle, ServerRole role) {
    return database
        .client()
        .preparedQuery("UPDATE account SET role = $2 WHERE handle = $1")
        .execute(Tuple.of(handle, role.key()))
        .map(rows -> rows.rowCount() == 1);
  }

  private static List<Account> accounts(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .map(
            row ->
                new Account(
                    new AccountId(row.getLong("account_id")),
                    row.getString("handle"),
                    row.getString("display_name")))
        .toList();
  }
}
