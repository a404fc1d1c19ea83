package io.confab.account;

import io.confab.account.AccountCommand.Blocked;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whom accounts have blocked, in PostgreSQL: table `block`.
public final class BlockStore {
  /// So many one account may block: others read its blocks when they count who is there.
  static final int MOST = 10_000;

  private final Database database;

  public BlockStore(Database database) {
    this.database = database;
  }

  /// What became of a block.
  enum Inserted {
    /// Or it was there.
    DONE,
    NO_SUCH_ACCOUNT,
    /// The account blocks as many as it may; those that come at the same time may be a few more.
    FULL
  }

  /// Blocks an account, if it is not blocked. Waits for those who hold the row of the account that
  /// blocks, because they add it to a room.
  Future<Inserted> insert(SqlClient transaction, AccountId account, AccountId blocked) {
    return transaction
        .preparedQuery(
            """
            WITH own AS MATERIALIZED (
              SELECT account_id FROM account WHERE account_id = $1 FOR NO KEY UPDATE),
            known AS (
              SELECT o.account_id,
                     NOT EXISTS (SELECT FROM block WHERE account_id = $1 AND blocked_id <> $2
                                 OFFSET $3) AS fits
                FROM own CROSS JOIN account o WHERE o.account_id = $2),
            added AS (
              INSERT INTO block (account_id, blocked_id) SELECT $1, account_id FROM known WHERE fits
              ON CONFLICT DO NOTHING)
            SELECT fits OR EXISTS (SELECT FROM block WHERE account_id = $1 AND blocked_id = $2)
                     AS blocked
              FROM known
            """)
        .execute(Tuple.of(account.value(), blocked.value(), (long) MOST - 1))
        .map(rows -> rows.stream().findFirst().map(BlockStore::inserted))
        .map(inserted -> inserted.orElse(Inserted.NO_SUCH_ACCOUNT));
  }

  private static Inserted inserted(Row row) {
    return row.getBoolean("blocked") ? Inserted.DONE : Inserted.FULL;
  }

  Future<Void> delete(SqlClient transaction, AccountId account, AccountId blocked) {
    return transaction
        .preparedQuery("DELETE FROM block WHERE account_id = $1 AND blocked_id = $2")
        .execute(Tuple.of(account.value(), blocked.value()))
        .mapEmpty();
  }

  /// The accounts that an account has blocked, by their ids.
  ///
  /// @param after the id before the first, null: from the beginning
  Future<List<Blocked>> list(AccountId account, @Nullable AccountId after, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT blocked_id FROM block WHERE account_id = $1 AND blocked_id > $2
            ORDER BY blocked_id LIMIT $3
            """)
        .mapping(row -> new Blocked(new AccountId(row.getLong("blocked_id"))))
        .execute(Tuple.of(account.value(), after == null ? Long.MIN_VALUE : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }
}
