package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Role;
import io.confab.protocol.RoomId;
import io.confab.protocol.WireName;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who is in which room, in PostgreSQL: table `room_member`.
public final class MemberStore {
  private static final String VIEW =
      """
      SELECT m.account_id, a.handle, a.display_name, m.role, m.joined_at,
        CASE WHEN m.muted_until > clock_timestamp() THEN m.muted_until END AS muted_until
      FROM room_member m JOIN account a USING (account_id)
      """;

  private final Database database;

  public MemberStore(Database database) {
    this.database = database;
  }

  /// The members of a room by account.
  Future<List<Member>> list(RoomId room, @Nullable AccountId after, int limit) {
    return database
        .client()
        .preparedQuery(
            VIEW
                + """
                WHERE m.room_id = $1 AND m.account_id > $2 ORDER BY m.account_id LIMIT $3
                """)
        .mapping(MemberStore::member)
        .execute(Tuple.of(room.value(), after == null ? -1 : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }

  static Member member(Row row) {
    return new Member(
        new AccountId(row.getLong("account_id")),
        row.getString("handle"),
        row.getString("display_name"),
        WireName.of(Role.class, row.getString("role")),
        row.getOffsetDateTime("joined_at").toInstant().toEpochMilli(),
        millis(row.getOffsetDateTime("muted_until")));
  }

  private static @Nullable Long millis(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant().toEpochMilli();
  }

  static @Nullable Role role(@Nullable String stored) {
    return stored == null ? null : WireName.of(Role.class, stored);
  }
}
