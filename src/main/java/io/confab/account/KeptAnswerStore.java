package io.confab.account;

import io.confab.account.AccountCommand.Fresh;
import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;

/// Which calls were begun with a key, and what they were answered, in PostgreSQL: table
/// `kept_answer`.
final class KeptAnswerStore {
  private final Database database;

  KeptAnswerStore(Database database) {
    this.database = database;
  }

  /// A call that was begun before.
  ///
  /// @param status 0 while it is not answered
  record Known(Buffer bodyHash, int status, Buffer answer) {}

  /// Begins a call, unless it was begun in the last 24 h and is answered, or its lease still runs.
  ///
  /// @param seed of the call, if it was not begun before
  Future<Optional<Fresh>> begin(CallKey key, Buffer bodyHash, long seed, Duration lease) {
    return database
        .client()
        .preparedQuery(
            """
            INSERT INTO kept_answer AS k (caller_id, call_hash, body_hash, seed, lease_until)
              VALUES ($1, $2, $3, $4, now() + $5::bigint * interval '1 millisecond')
              ON CONFLICT (caller_id, call_hash) DO UPDATE
              SET body_hash = excluded.body_hash, lease_until = excluded.lease_until,
                  seed = CASE WHEN k.begun_at > now() - interval '24 hours' THEN k.seed
                              ELSE excluded.seed END,
                  begun_at = CASE WHEN k.begun_at > now() - interval '24 hours' THEN k.begun_at
                                  ELSE now() END,
                  status = 0, answer = ''
              WHERE k.begun_at <= now() - interval '24 hours'
                 OR k.status = 0 AND k.lease_until <= now() AND k.body_hash = excluded.body_hash
              RETURNING k.seed, k.begun_at = now() AS first
            """)
        .execute(Tuple.of(key.owner(), key.hash(), bodyHash, seed, lease.toMillis()))
        .map(rows -> rows.stream().findFirst().map(KeptAnswerStore::fresh));
  }

  private static Fresh fresh(Row row) {
    return new Fresh(row.getLong("seed"), row.getBoolean("first"));
  }

  Future<Optional<Known>> find(CallKey key) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT body_hash, status, answer FROM kept_answer
             WHERE caller_id = $1 AND call_hash = $2
            """)
        .execute(Tuple.of(key.owner(), key.hash()))
        .map(rows -> rows.stream().findFirst().map(KeptAnswerStore::known));
  }

  private static Known known(Row row) {
    return new Known(row.getBuffer("body_hash"), row.getShort("status"), row.getBuffer("answer"));
  }

  /// Keeps an answer, and forgets the oldest calls of the caller beyond a number and a size.
  Future<Void> keep(
      CallKey key, long seed, int status, Buffer answer, int mostRows, long mostBytes) {
    return database
        .client()
        .preparedQuery(
            """
            UPDATE kept_answer SET status = $4, answer = $5
             WHERE caller_id = $1 AND call_hash = $2 AND seed = $3 AND status = 0
            """)
        .execute(Tuple.of(key.owner(), key.hash(), seed, (short) status, answer))
        .compose(
            _ ->
                database
                    .client()
                    .preparedQuery(
                        """
                        DELETE FROM kept_answer k USING (
                          SELECT a.call_hash, row_number() OVER newest AS n,
                                 sum(octet_length(a.answer)) OVER newest AS bytes
                            FROM kept_answer a WHERE a.caller_id = $1
                          WINDOW newest AS (ORDER BY a.begun_at DESC, a.call_hash)) o
                         WHERE k.caller_id = $1 AND k.call_hash = o.call_hash
                           AND (o.n > $2 OR o.bytes > $3)
                           AND (k.status <> 0 OR k.lease_until <= now())
                        """)
                    .execute(Tuple.of(key.owner(), (long) mostRows, mostBytes)))
        .mapEmpty();
  }

  /// Forgets a call of which nothing has come.
  Future<Void> forget(CallKey key, long seed) {
    return database
        .client()
        .preparedQuery(
            """
            DELETE FROM kept_answer
             WHERE caller_id = $1 AND call_hash = $2 AND seed = $3 AND status = 0
            """)
        .execute(Tuple.of(key.owner(), key.hash(), seed))
        .mapEmpty();
  }

  /// Lets the call be begun again at once.
  Future<Void> release(CallKey key, long seed) {
    return database
        .client()
        .preparedQuery(
            """
            UPDATE kept_answer SET lease_until = now()
             WHERE caller_id = $1 AND call_hash = $2 AND seed = $3 AND status = 0
            """)
        .execute(Tuple.of(key.owner(), key.hash(), seed))
        .mapEmpty();
  }

  /// Forgets calls of more than 24 h ago, and answers how many.
  Future<Integer> forgetOld(SqlClient transaction, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM kept_answer WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM kept_answer WHERE begun_at <= now() - interval '24 hours'
              ORDER BY begun_at LIMIT $1 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(most))
        .map(SqlResult::rowCount);
  }
}
