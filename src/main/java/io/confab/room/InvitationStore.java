package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Invitation;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who is asked to join which room, in PostgreSQL: table `invitation`.
public final class InvitationStore {
  private static final String OPEN =
      """
      SELECT i.room_id, r.name, r.member_count, i.invited_by, i.ts
      FROM invitation i JOIN room r USING (room_id)
      WHERE i.account_id = $1 AND is_invited(i.room_id, i.account_id)
      """;

  private final Database database;

  InvitationStore(Database database) {
    this.database = database;
  }

  /// The open ones of an account, by room.
  Future<List<Invitation>> list(AccountId account, @Nullable RoomId after, int limit) {
    return database
        .client()
        .preparedQuery(OPEN + "AND i.room_id > $2 ORDER BY i.room_id LIMIT $3")
        .mapping(InvitationStore::invitation)
        .execute(Tuple.of(account.value(), after == null ? Long.MIN_VALUE : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }

  Future<Optional<Invitation>> find(AccountId account, RoomId room) {
    return database
        .client()
        .preparedQuery(OPEN + "AND i.room_id = $2")
        .mapping(InvitationStore::invitation)
        .execute(Tuple.of(account.value(), room.value()))
        .map(rows -> rows.stream().findFirst());
  }

  private static Invitation invitation(Row row) {
    return new Invitation(
        new RoomId(row.getLong("room_id")),
        row.getString("name"),
        row.getLong("member_count"),
        new AccountId(row.getLong("invited_by")),
        row.getOffsetDateTime("ts").toInstant().toEpochMilli());
  }
}
