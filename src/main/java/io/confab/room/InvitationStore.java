package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Invitation;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
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

  /// Which of these accounts somebody has asked into a room, whatever they have answered since.
  Future<List<AccountId>> askedBy(AccountId inviter, RoomId room, List<AccountId> accounts) {
    Long[] ids = accounts.stream().map(AccountId::value).toArray(Long[]::new);
    return database
        .client()
        .preparedQuery(
            """
            SELECT account_id FROM invitation
            WHERE invited_by = $1 AND room_id = $2 AND account_id = ANY ($3) ORDER BY account_id
            """)
        .mapping(row -> new AccountId(row.getLong("account_id")))
        .execute(Tuple.of(inviter.value(), room.value(), ids))
        .map(rows -> rows.stream().toList());
  }

  /// Ends invitations that nobody answered in time. Does not wait for rows that others hold.
  ///
  /// @param most how many at once; the rest another time
  Future<Void> endExpired(int most) {
    return database
        .client()
        .preparedQuery(
            """
            UPDATE invitation SET open = false, changed_at = now() WHERE (account_id, room_id) IN (
              SELECT account_id, room_id FROM invitation
              WHERE open AND ts <= now() - interval '30 days'
              ORDER BY ts LIMIT $1 FOR UPDATE SKIP LOCKED)
            """)
        .execute(Tuple.of(most))
        .mapEmpty();
  }

  /// Forgets invitations that ended so long ago that their rooms may ask again, and that everybody
  /// concerned has been told; answers how many. As above.
  Future<Integer> forgetEnded(SqlClient transaction, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM invitation WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM invitation
              WHERE NOT open AND changed_at <= now() - interval '2 days'
              ORDER BY changed_at LIMIT $1 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(most))
        .map(SqlResult::rowCount);
  }

  /// An invitation that began or ended.
  record Change(OffsetDateTime at, AccountId account, RoomId room) {}

  /// @param now when the database was asked
  record Lately(OffsetDateTime now, List<Change> changes) {}

  /// What began or ended since then, by time, and shortly before: a transaction bears the time of
  /// its beginning.
  ///
  /// @param since null: nothing, only the time
  /// @param after the last one of the page before
  Future<Lately> changedSince(@Nullable OffsetDateTime since, @Nullable Change after, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT now() AS now, i.* FROM (VALUES (1)) one LEFT JOIN LATERAL (
              SELECT changed_at, account_id, room_id FROM invitation
              WHERE (changed_at, account_id, room_id)
                > (coalesce($2, $1::timestamptz - interval '30 s'), $3::bigint, $4::bigint)
              ORDER BY changed_at, account_id, room_id LIMIT $5) i ON true
            """)
        .execute(
            Tuple.of(
                since,
                after == null ? null : after.at(),
                after == null ? Long.MIN_VALUE : after.account().value(),
                after == null ? Long.MIN_VALUE : after.room().value(),
                limit))
        .map(
            rows ->
                new Lately(
                    rows.iterator().next().getOffsetDateTime("now"),
                    rows.stream()
                        .filter(row -> row.getOffsetDateTime("changed_at") != null)
                        .map(
                            row ->
                                new Change(
                                    row.getOffsetDateTime("changed_at"),
                                    new AccountId(row.getLong("account_id")),
                                    new RoomId(row.getLong("room_id"))))
                        .toList()));
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
