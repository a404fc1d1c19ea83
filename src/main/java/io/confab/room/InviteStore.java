package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Invite;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Invitations in PostgreSQL: table `room_invite`.
public final class InviteStore {
  private static final String COLUMNS = "invite_id, made_by, made_at, expires_at, max_uses, uses";

  private final Database database;

  InviteStore(Database database) {
    this.database = database;
  }

  /// Refusal: `not_found`.
  Future<Invite> require(RoomId room, String id) {
    return database
        .client()
        .preparedQuery(
            "SELECT " + COLUMNS + " FROM room_invite WHERE room_id = $1 AND invite_id = $2")
        .mapping(InviteStore::invite)
        .execute(Tuple.of(room.value(), id))
        .map(rows -> rows.stream().findFirst().orElseThrow(() -> RoomRefusal.of("no_invite")));
  }

  /// The room of an invitation, alive or not. Refusal: `not_found`.
  Future<RoomId> room(InviteCode code) {
    return database
        .client()
        .preparedQuery("SELECT room_id FROM room_invite WHERE code_hash = $1")
        .mapping(row -> new RoomId(row.getLong("room_id")))
        .execute(Tuple.of(code.hash()))
        .map(rows -> rows.stream().findFirst().orElseThrow(() -> RoomRefusal.of("no_invite")));
  }

  Future<List<Invite>> list(RoomId room, @Nullable String after, int limit) {
    return database
        .client()
        .preparedQuery(
            "SELECT "
                + COLUMNS
                + """
                 FROM room_invite
                WHERE room_id = $1 AND invite_id > $2 ORDER BY invite_id LIMIT $3
                """)
        .mapping(InviteStore::invite)
        .execute(Tuple.of(room.value(), after == null ? "" : after, limit))
        .map(rows -> rows.stream().toList());
  }

  private static Invite invite(Row row) {
    OffsetDateTime expires = row.getOffsetDateTime("expires_at");
    return new Invite(
        row.getString("invite_id"),
        new AccountId(row.getLong("made_by")),
        row.getOffsetDateTime("made_at").toInstant().toEpochMilli(),
        expires == null ? null : expires.toInstant().toEpochMilli(),
        row.getLong("max_uses"),
        row.getLong("uses"));
  }
}
