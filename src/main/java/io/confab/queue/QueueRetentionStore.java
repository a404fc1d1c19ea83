package io.confab.queue;

import io.confab.config.Config;
import io.confab.protocol.AccountId;
import io.confab.retention.Rule;
import io.confab.retention.Swept;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;

/// What is removed of queues when it is over.
public final class QueueRetentionStore {
  private QueueRetentionStore() {}

  /// @param changed hears of accounts whose devices are others, and the version of their lists
  public static List<Rule> rules(Config config, ObjLongConsumer<AccountId> changed) {
    AtomicLong lookedTo = new AtomicLong();
    List<Runnable> news = new ArrayList<>();
    return List.of(
        new Rule(Swept.PAYLOADS, (transaction, most) -> payloads(transaction, most, lookedTo)),
        new Rule(
            Swept.FAILURES,
            (transaction, most) ->
                old(
                    transaction,
                    """
                    DELETE FROM delivery_failure WHERE ctid = ANY (ARRAY(
                      SELECT ctid FROM delivery_failure
                      WHERE failed_at <= now() - $1::bigint * interval '1 ms'
                      ORDER BY failed_at LIMIT $2 FOR UPDATE SKIP LOCKED))
                    """,
                    config.retention().deliveryFailures(),
                    most)),
        new Rule(
            Swept.LETTERS,
            (transaction, most) ->
                old(
                    transaction,
                    """
                    DELETE FROM dead_letter WHERE ctid = ANY (ARRAY(
                      SELECT ctid FROM dead_letter
                      WHERE died_at <= now() - $1::bigint * interval '1 ms'
                      ORDER BY died_at LIMIT $2))
                    """,
                    config.retention().deadLetters(),
                    most)),
        new Rule(
            Swept.DORMANT,
            (transaction, most) ->
                dormant(
                    transaction,
                    config.queues().dormantAfter(),
                    most,
                    (account, version) -> news.add(() -> changed.accept(account, version)),
                    news::clear),
            () -> {
              news.forEach(Runnable::run);
              news.clear();
            }),
        new Rule(Swept.ENVELOPES, QueueRetentionStore::drain));
  }

  private static Future<Integer> old(SqlClient transaction, String sql, Duration kept, int most) {
    return transaction
        .preparedQuery(sql)
        .execute(Tuple.of(kept.toMillis(), most))
        .map(SqlResult::rowCount);
  }

  /// Payloads without envelopes. Those that still have some are looked at once a run: the next
  /// portion goes on behind the last one.
  private static Future<Integer> payloads(SqlClient transaction, int most, AtomicLong lookedTo) {
    return transaction
        .preparedQuery(
            """
            WITH free AS (
              SELECT p.payload_id FROM envelope_payload p
               WHERE p.payload_id > $1
                 AND NOT EXISTS (SELECT FROM envelope e WHERE e.payload_id = p.payload_id OFFSET 0)
               ORDER BY p.payload_id LIMIT $2),
            removed AS (
              DELETE FROM envelope_payload p WHERE p.payload_id = ANY (ARRAY(SELECT f.payload_id FROM free f))
              RETURNING p.payload_id)
            SELECT count(*)::integer AS removed, coalesce(max(r.payload_id), 0) AS last FROM removed r
            """)
        .execute(Tuple.of(lookedTo.get(), most))
        .map(
            rows -> {
              var row = rows.iterator().next();
              int removed = row.getInteger("removed");
              lookedTo.set(removed < most ? 0 : row.getLong("last"));
              return removed;
            });
  }

  private static Future<Integer> dormant(
      SqlClient transaction,
      Duration after,
      int most,
      ObjLongConsumer<AccountId> changed,
      Runnable anew) {
    anew.run(); // what a portion before did not commit
    return transaction
        .preparedQuery("SELECT * FROM make_dormant($1, $2)")
        .execute(Tuple.of(after.toMillis(), (long) most))
        .map(
            rows -> {
              int devices = 0;
              for (var row : rows) {
                devices += row.getLong("devices").intValue();
                changed.accept(new AccountId(row.getLong("account_id")), row.getLong("version"));
              }
              return devices;
            });
  }

  /// What waits for devices that are dormant or were removed.
  private static Future<Integer> drain(SqlClient transaction, int most) {
    return transaction
        .preparedQuery("SELECT drain_queues($1)")
        .execute(Tuple.of((long) most))
        .map(rows -> rows.iterator().next().getLong(0).intValue());
  }
}
