package io.confab.retention;

import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.OptionalInt;

/// Whose turn it is to remove what is over, in PostgreSQL: table `sweep`.
///
/// The one row is a lease. Who has it locks the row in each transaction in which it removes
/// something, so that one node works at a time even where a lease ended too early; nobody waits for
/// that lock, and with a node or its connection the transaction ends.
final class SweepStore {
  private final Database database;
  private final long holder;

  /// @param holder a number that no other node has
  SweepStore(Database database, long holder) {
    this.database = database;
    this.holder = holder;
  }

  /// Whether a run begins.
  ///
  /// @param taken whether it is this node's
  /// @param sweptAt when all that was over had been removed last, in seconds since 1970; 0: never
  record Turn(boolean taken, long sweptAt) {}

  /// Takes the lease where nobody has it and no node has removed everything in the last 50 seconds,
  /// which is a little less than the time between two looks.
  Future<Turn> begin() {
    return database
        .client()
        .preparedQuery(
            """
            WITH free AS (
              SELECT only_row FROM sweep
              WHERE held_until <= clock_timestamp()
                AND (swept_at IS NULL OR swept_at <= clock_timestamp() - interval '50 s')
              FOR UPDATE SKIP LOCKED),
            taken AS (
              UPDATE sweep s SET holder = $1, held_until = clock_timestamp() + interval '30 s'
              FROM free WHERE s.only_row = free.only_row RETURNING s.only_row)
            SELECT EXISTS (SELECT FROM taken) AS taken,
              coalesce(extract(epoch FROM swept_at)::bigint, 0) AS swept_at
            FROM sweep
            """)
        .mapping(row -> new Turn(row.getBoolean("taken"), row.getLong("swept_at")))
        .execute(Tuple.of(holder))
        .map(rows -> rows.iterator().next());
  }

  /// Removes a portion in a transaction that prolongs the lease; empty where another node has it.
  Future<OptionalInt> remove(Rule rule, int most) {
    return database.transaction(
        transaction ->
            transaction
                .preparedQuery(
                    """
                    WITH held AS (
                      SELECT only_row FROM sweep WHERE holder = $1 FOR UPDATE SKIP LOCKED)
                    UPDATE sweep s SET held_until = clock_timestamp() + interval '30 s'
                    FROM held WHERE s.only_row = held.only_row
                    """)
                .execute(Tuple.of(holder))
                .compose(
                    rows ->
                        rows.rowCount() == 0
                            ? Future.succeededFuture(OptionalInt.empty())
                            : rule.portion().remove(transaction, most).map(OptionalInt::of)));
  }

  /// Gives the lease back.
  ///
  /// @param whole whether nothing is left that is over
  /// @return when everything had been removed last, as [Turn#sweptAt]
  Future<Long> end(boolean whole) {
    return database
        .client()
        .preparedQuery(
            """
            WITH ended AS (
              UPDATE sweep SET holder = NULL, held_until = '-infinity',
                swept_at = CASE WHEN $2 THEN clock_timestamp() ELSE swept_at END
              WHERE holder = $1 RETURNING swept_at)
            SELECT coalesce(extract(epoch FROM
              coalesce((SELECT swept_at FROM ended), swept_at))::bigint, 0) AS swept_at FROM sweep
            """)
        .mapping(row -> row.getLong("swept_at"))
        .execute(Tuple.of(holder, whole))
        .map(rows -> rows.iterator().next());
  }
}
