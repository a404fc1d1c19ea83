package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Ban;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who may not come into a room, and who may not speak there, in PostgreSQL: tables `room_ban`
/// and `room_mute`. Changes belong into a transaction that has locked the room.
public final class BanStore {
  private static final String COLUMNS = "account_id, banned_by, reason, banned_at";

  private final Database database;

  BanStore(Database database) {
    this.database = database;
  }

  /// Bans an account, or gives another reason for it.
  Future<Ban> ban(LockedRoom locked, AccountId account, @Nullable String reason) {
    return locked
        .transaction()
        .preparedQuery(
            """
            INSERT INTO room_ban (room_id, account_id, banned_by, reason) VALUES ($1, $2, $3, $4)
            ON CONFLICT (room_id, account_id) DO UPDATE
              SET banned_by = excluded.banned_by, reason = excluded.reason
            RETURNING
            """
                + COLUMNS)
        .mapping(BanStore::ban)
        .execute(Tuple.of(locked.id().value(), account.value(), locked.caller().value(), reason))
        .map(rows -> rows.iterator().next());
  }

  /// Whether there was a ban.
  Future<Boolean> unban(LockedRoom locked, AccountId account) {
    return locked
        .transaction()
        .preparedQuery("DELETE FROM room_ban WHERE room_id = $1 AND account_id = $2")
        .execute(Tuple.of(locked.id().value(), account.value()))
        .map(rows -> rows.rowCount() == 1);
  }

  Future<Boolean> isBanned(SqlClient transaction, RoomId room, AccountId account) {
    return transaction
        .preparedQuery("SELECT FROM room_ban WHERE room_id = $1 AND account_id = $2")
        .execute(Tuple.of(room.value(), account.value()))
        .map(rows -> rows.size() == 1);
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

  /// Mutes a member until a time; false when that time is past.
  Future<Boolean> mute(LockedRoom locked, AccountId member, long until) {
    return locked
        .transaction()
        .preparedQuery(
            """
            WITH mute AS (
              INSERT INTO room_mute (room_id, account_id, until) VALUES ($1, $2, $3)
              ON CONFLICT (room_id, account_id) DO UPDATE SET until = excluded.until),
            member AS (
              UPDATE room_member SET muted_until = $3 WHERE room_id = $1 AND account_id = $2)
            SELECT $3::timestamptz > clock_timestamp() AS lasts
            """)
        .execute(
            Tuple.of(
                locked.id().value(),
                member.value(),
                Instant.ofEpochMilli(until).atOffset(ZoneOffset.UTC)))
        .map(rows -> rows.iterator().next().getBoolean("lasts"));
  }

  /// Whether the account, which may have left, was muted.
  Future<Boolean> unmute(LockedRoom locked, AccountId account) {
    return locked
        .transaction()
        .preparedQuery(
            """
            WITH member AS (
              UPDATE room_member SET muted_until = NULL WHERE room_id = $1 AND account_id = $2)
            DELETE FROM room_mute WHERE room_id = $1 AND account_id = $2
            """)
        .execute(Tuple.of(locked.id().value(), account.value()))
        .map(rows -> rows.rowCount() == 1);
  }

  private static Ban ban(Row row) {
    return new Ban(
        new AccountId(row.getLong("account_id")),
        new AccountId(row.getLong("banned_by")),
        row.getString("reason"),
        row.getOffsetDateTime("banned_at").toInstant().toEpochMilli());
  }
}
