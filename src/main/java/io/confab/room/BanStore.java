package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Ban;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who may not come into a room, in PostgreSQL: table `room_ban`.
public final class BanStore {
  private static final String COLUMNS = "account_id, banned_by, reason, banned_at";

  private final Database database;

  BanStore(Database database) {
    this.database = database;
  }

  /// Refusal: `not_found`.
  Future<Ban> require(RoomId room, AccountId account) {
    return database
        .client()
        .preparedQuery(
            "SELECT " + COLUMNS + " FROM room_ban WHERE room_id = $1 AND account_id = $2")
        .mapping(BanStore::ban)
        .execute(Tuple.of(room.value(), account.value()))
        .map(rows -> rows.stream().findFirst().orElseThrow(() -> RoomRefusal.of("not_banned")));
  }

  Future<List<Ban>> list(RoomId room, @Nullable AccountId after, int limit) {
    return database
        .client()
        .preparedQuery(
            "SELECT "
                + COLUMNS
                + """
                 FROM room_ban
                WHERE room_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3
                """)
        .mapping(BanStore::ban)
        .execute(Tuple.of(room.value(), after == null ? -1 : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }

  private static Ban ban(Row row) {
    return new Ban(
        new AccountId(row.getLong("account_id")),
        new AccountId(row.getLong("banned_by")),
        row.getString("reason"),
        row.getOffsetDateTime("banned_at").toInstant().toEpochMilli());
  }
}
