package io.confab.account;

import io.confab.account.AccountCommand.Blocked;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whom accounts have blocked, in PostgreSQL: table `block`.
public final class BlockStore {
  private final Database database;

  public BlockStore(Database database) {
    this.database = database;
  }

  /// Blocks an account, if it is not blocked; false when there is no such account. Waits for those
  /// who hold the row of the account that blocks, because they add it to a room.
  Future<Boolean> insert(AccountId account, AccountId blocked) {
    return database
        .client()
        .preparedQuery(
            """
            WITH own AS MATERIALIZED (
              SELECT account_id FROM account WHERE account_id = $1 FOR NO KEY UPDATE),
            known AS (
              SELECT o.account_id FROM own CROSS JOIN account o WHERE o.account_id = $2),
            added AS (
              INSERT INTO block (account_id, blocked_id) SELECT $1, account_id FROM known
              ON CONFLICT DO NOTHING)
            SELECT account_id FROM known
            """)
        .execute(Tuple.of(account.value(), blocked.value()))
        .map(rows -> rows.size() == 1);
  }

  Future<Void> delete(AccountId account, AccountId blocked) {
    return database
        .client()
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
