package io.confab.room;

import io.confab.account.Acquaintances;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/// Who shares a room with somebody, in PostgreSQL: tables `room_member` and `room`.
public final class CoMemberStore implements Acquaintances {
  private static final int LARGEST_ROOM = 200;

  /// No more than these are signalled; clients read names and keys again when they reconnect.
  private static final int MOST = 10_000;

  private final Database database;

  public CoMemberStore(Database database) {
    this.database = database;
  }

  /// The other members of the account's rooms of up to 200 members.
  @Override
  public Future<List<AccountId>> inRooms(AccountId account) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT DISTINCT other.account_id
            FROM room_member own JOIN room r USING (room_id) JOIN room_member other USING (room_id)
            WHERE own.account_id = $1 AND r.member_count <= $2 AND other.account_id <> $1
            LIMIT $3
            """)
        .mapping(row -> new AccountId(row.getLong("account_id")))
        .execute(Tuple.of(account.value(), LARGEST_ROOM, MOST))
        .map(rows -> rows.stream().toList());
  }

  /// The other members of its sealed rooms, but of a direct one in which one blocked the other.
  @Override
  public Future<List<AccountId>> inSealedRooms(AccountId account) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT DISTINCT other.account_id
            FROM room_member own JOIN room r USING (room_id) JOIN room_position p USING (room_id)
              JOIN room_member other USING (room_id)
            WHERE own.account_id = $1 AND r.encryption_suite IS NOT NULL AND NOT p.blocked
              AND other.account_id <> $1
            LIMIT $2
            """)
        .mapping(row -> new AccountId(row.getLong("account_id")))
        .execute(Tuple.of(account.value(), MOST))
        .map(rows -> rows.stream().toList());
  }
}
