package io.confab.queue;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which devices are to be woken, in PostgreSQL.
final class WakeStore {
  private static final String CLAIM = "SELECT * FROM wake_queues($1, $2, $3, $4)";

  private static final String FORGOTTEN =
      """
      SELECT q.registration_id FROM device_queue q
       WHERE q.gone_seq < q.loud_seq AND q.woken_until <= clock_timestamp() AND NOT q.dormant
         AND q.waits_since <= clock_timestamp() - $1::bigint * interval '1 ms'
       LIMIT $2\
      """;

  private final Database database;
  private final Duration after;

  /// @param after how long a queue may wait before its device is woken
  WakeStore(Database database, Duration after) {
    this.database = database;
    this.after = after;
  }

  /// A device to be woken by whoever has claimed that.
  ///
  /// @param until when nobody else does
  record Wake(RegistrationId registration, Caller device, OffsetDateTime until) {}

  /// @param due to be woken now
  /// @param later queues to be asked for again, after so long
  record Claimed(List<Wake> due, Map<RegistrationId, Duration> later) {}

  /// Claims those that have waited for long enough. Each is answered once until all that it waits
  /// for is acknowledged, and once more where it is not said within 5 s that it was woken.
  ///
  /// @param woken what was claimed before and is done; what of it is answered as `later` is to be
  ///     said again
  Future<Claimed> claim(Collection<RegistrationId> waiting, Collection<Wake> woken) {
    return database
        .change(
            CLAIM,
            Tuple.tuple()
                .addArrayOfLong(waiting.stream().map(RegistrationId::value).toArray(Long[]::new))
                .addLong(after.toMillis())
                .addArrayOfLong(
                    woken.stream().map(w -> w.registration().value()).toArray(Long[]::new))
                .addArrayOfOffsetDateTime(
                    woken.stream().map(Wake::until).toArray(OffsetDateTime[]::new)),
            Future::succeededFuture)
        .map(WakeStore::claimed);
  }

  private static Claimed claimed(RowSet<Row> rows) {
    List<Wake> due = new ArrayList<>();
    Map<RegistrationId, Duration> later = new HashMap<>();
    for (Row row : rows) {
      RegistrationId registration = new RegistrationId(row.getLong("registration_id"));
      OffsetDateTime until = row.getOffsetDateTime("woken_until");
      if (until == null) {
        later.put(registration, Duration.ofMillis(row.getLong("left_ms")));
      } else {
        AccountId account = new AccountId(row.getLong("account_id"));
        Caller device = new Caller(account, new DeviceId(row.getString("device_id")));
        due.add(new Wake(registration, device, until));
      }
    }
    return new Claimed(due, later);
  }

  /// So many that have waited for so long and for which nobody was woken.
  Future<List<RegistrationId>> forgotten(Duration waited, int most) {
    return database
        .client()
        .preparedQuery(FORGOTTEN)
        .execute(Tuple.of(waited.toMillis(), (long) most))
        .map(
            rows ->
                rows.stream()
                    .map(row -> new RegistrationId(row.getLong("registration_id")))
                    .toList());
  }
}
