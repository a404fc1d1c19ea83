package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Invite;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Invitations in PostgreSQL: table `room_invite`. Changes belong into a transaction that has
/// locked the room.
public final class InviteStore {
  private static final String COLUMNS = "invite_id, made_by, made_at, expires_at, max_uses, uses";
  private static final String DEAD = "(expires_at <= clock_timestamp() OR uses >= max_uses)";

  private final Database database;

  InviteStore(Database database) {
    this.database = database;
  }

  /// What a new invitation allows.
  record Terms(@Nullable Duration lifetime, @Nullable Long maxUses) {}

  Future<Invite> insert(LockedRoom locked, InviteCode code, Terms terms) {
    Duration lifetime = terms.lifetime();
    return locked
        .transaction()
        .preparedQuery(
            """
            INSERT INTO room_invite (room_id, invite_id, code_hash, made_by, expires_at, max_uses)
            VALUES ($1, $2, $3, $4, now() + $5::bigint * interval '1 second', $6)
            RETURNING
            """
                + COLUMNS)
        .mapping(InviteStore::invite)
        .execute(
            Tuple.tuple()
                .addLong(locked.id().value())
                .addString(code.id())
                .addBuffer(code.hash())
                .addLong(locked.caller().value())
                .addLong(lifetime == null ? null : lifetime.toSeconds())
                .addLong(terms.maxUses()))
        .map(rows -> rows.iterator().next());
  }

  /// How many invitations of the room are alive; the others are forgotten when there are `most`.
  Future<Long> countAlive(LockedRoom locked, int most) {
    return count(locked.transaction(), locked.id())
        .compose(
            all ->
                all < most
                    ? Future.succeededFuture(all)
                    : locked
                        .transaction()
                        .preparedQuery("DELETE FROM room_invite WHERE room_id = $1 AND " + DEAD)
                        .execute(Tuple.of(locked.id().value()))
                        .map(gone -> all - gone.rowCount()));
  }

  private static Future<Long> count(SqlClient transaction, RoomId room) {
    return transaction
        .preparedQuery("SELECT count(*) AS n FROM room_invite WHERE room_id = $1")
        .execute(Tuple.of(room.value()))
        .map(rows -> rows.iterator().next().getLong("n"));
  }

  /// The room of an invitation, alive or not.
  Future<Optional<RoomId>> room(InviteCode code) {
    return room(database.client(), code);
  }

  Future<Optional<RoomId>> room(SqlClient client, InviteCode code) {
    return client
        .preparedQuery("SELECT room_id FROM room_invite WHERE code_hash = $1")
        .mapping(row -> new RoomId(row.getLong("room_id")))
        .execute(Tuple.of(code.hash()))
        .map(rows -> rows.stream().findFirst());
  }

  /// Uses an invitation up by one; false when it is over.
  Future<Boolean> use(LockedRoom locked, InviteCode code) {
    return locked
        .transaction()
        .preparedQuery(
            "UPDATE room_invite SET uses = uses + 1 WHERE room_id = $1 AND code_hash = $2 AND "
                + DEAD
                + " IS NOT TRUE")
        .execute(Tuple.of(locked.id().value(), code.hash()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// @return its id, if there was one
  Future<Optional<String>> delete(LockedRoom locked, InviteCode name) {
    return locked
        .transaction()
        .preparedQuery(
            """
            DELETE FROM room_invite WHERE room_id = $1 AND (code_hash = $2 OR invite_id = $3)
            RETURNING invite_id
            """)
        .mapping(row -> row.getString("invite_id"))
        .execute(Tuple.of(locked.id().value(), name.hash(), name.id()))
        .map(rows -> rows.stream().findFirst());
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
