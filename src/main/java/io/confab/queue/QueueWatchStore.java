package io.confab.queue;

import io.confab.feed.Undelivered;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.FailureReason;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/// Ends what is over in queues, and finds what senders have to be told.
final class QueueWatchStore {
  private final Database database;

  QueueWatchStore(Database database) {
    this.database = database;
  }

  /// @param holds whether anything waits in queues
  /// @param due whether the time of some of it is over
  /// @param untold whether there is a sender to be told that something does not arrive
  record Work(boolean holds, boolean due, boolean untold) {}

  /// What there is to do: one reading statement, by two indexes.
  Future<Work> work() {
    return database
        .client()
        .preparedQuery(
            """
            SELECT (SELECT min(due_at) <= clock_timestamp() FROM envelope_payload) AS due,
                   EXISTS (SELECT FROM delivery_failure WHERE NOT told) AS untold
            """)
        .execute()
        .map(rows -> work(rows.iterator().next()));
  }

  private static Work work(Row row) {
    Boolean due = row.getBoolean("due");
    return new Work(due != null, Boolean.TRUE.equals(due), row.getBoolean("untold"));
  }

  /// Ends so many sends that are due at most, and answers how many.
  Future<Long> expire(int most) {
    return database.transaction(
        transaction ->
            transaction
                .preparedQuery("SELECT expire_envelopes($1)")
                .mapping(row -> row.getLong(0))
                .execute(Tuple.of((long) most))
                .map(rows -> rows.iterator().next()));
  }

  /// @param found why each failed, of those too whose senders are not told
  record Told(List<FailureReason> found, List<Undelivered> lost) {}

  /// Messages that do not arrive and that this is the first to take.
  Future<Told> takeFailures(int most) {
    return database.transaction(
        transaction ->
            transaction
                .preparedQuery("SELECT * FROM tell_failures($1)")
                .execute(Tuple.of((long) most))
                .map(
                    rows ->
                        new Told(
                            rows.stream().map(QueueWatchStore::reason).toList(),
                            rows.stream()
                                .filter(row -> row.getLong("sender_id") != null)
                                .map(QueueWatchStore::undelivered)
                                .toList())));
  }

  private static FailureReason reason(Row row) {
    return WireName.of(FailureReason.class, row.getString("reason"));
  }

  private static Undelivered undelivered(Row row) {
    return new Undelivered(
        new RoomId(row.getLong("room_id")),
        new Seq(row.getLong("seq")),
        new AccountId(row.getLong("account_id")),
        new AccountId(row.getLong("sender_id")),
        reason(row));
  }
}
