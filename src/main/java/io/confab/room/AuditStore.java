package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.AuditEntry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/// What owners and admins did in rooms, in PostgreSQL: table `room_audit`. An entry is of the
/// transaction that did it, under the room's lock, so their order is that of the actions.
public final class AuditStore {
  private final Database database;

  AuditStore(Database database) {
    this.database = database;
  }

  /// The entries after one, oldest first.
  Future<List<AuditEntry>> list(RoomId room, long after, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT entry_id, action, actor_id, account_id, ts, data FROM room_audit
            WHERE room_id = $1 AND entry_id > $2 ORDER BY entry_id LIMIT $3
            """)
        .mapping(AuditStore::entry)
        .execute(Tuple.of(room.value(), after, limit))
        .map(rows -> rows.stream().toList());
  }

  /// Forgets entries that are older than that, and answers how many. The database lets none go that
  /// is younger than 30 days.
  static Future<Integer> forgetOld(SqlClient transaction, Duration kept, int most) {
    return transaction
        .preparedQuery("SELECT forgotten FROM forget_audit($1, $2)")
        .mapping(row -> row.getInteger("forgotten"))
        .execute(Tuple.of(kept.toMillis(), most))
        .map(rows -> rows.iterator().next());
  }

  private static AuditEntry entry(Row row) {
    Long account = row.getLong("account_id");
    JsonObject data = row.getJsonObject("data");
    return new AuditEntry(
        Long.toString(row.getLong("entry_id")),
        AuditAction.stored(row.getString("action")),
        new AccountId(row.getLong("actor_id")),
        account == null ? null : new AccountId(account),
        row.getOffsetDateTime("ts").toInstant().toEpochMilli(),
        data == null ? null : data.getMap());
  }
}
