package io.confab.room;

import io.confab.config.WireName;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Who is in which room, in PostgreSQL: tables `room_member` and `member_span`. Changes belong
/// into a transaction that has locked the room.
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

  /// Adds the first members of a new room, who may see all of it.
  Future<Void> insertFirst(SqlClient transaction, NewRoom room) {
    List<AccountId> members = room.members();
    return transaction
        .preparedQuery(
            """
            WITH member AS (
              SELECT * FROM unnest($2::bigint[], $3::text[], $4::bigint[])
                AS m (account_id, role, from_rev)),
            span AS (
              INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
              SELECT $1::bigint, account_id, from_rev, 1 FROM member)
            INSERT INTO room_member (room_id, account_id, role)
            SELECT $1::bigint, account_id, role FROM member
            """)
        .execute(
            Tuple.tuple()
                .addLong(room.id().value())
                .addArrayOfLong(members.stream().map(AccountId::value).toArray(Long[]::new))
                .addArrayOfString(
                    members.stream().map(m -> room.role(m).wire()).toArray(String[]::new))
                .addArrayOfLong(
                    IntStream.range(0, members.size())
                        .mapToObj(i -> room.joinedAt(i).value())
                        .toArray(Long[]::new)))
        .mapEmpty();
  }

  /// Adds a member that joins with the next rev. What it may see of what was said before, the
  /// room's `history` says. It is muted as it was when it left, and its pace begins anew. The
  /// account is held as by [#holdAccounts]. Refusal: `not_found`.
  Future<Void> insert(LockedRoom locked, AccountId member) {
    return locked
        .transaction()
        .preparedQuery(
            """
            WITH held AS MATERIALIZED (
              SELECT account_id FROM account
              WHERE account_id = $2::bigint AND removed_at IS NULL FOR SHARE),
            span AS (
              INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
              SELECT room_id, account_id, $3::bigint,
                CASE history WHEN 'all' THEN 1 ELSE $4::bigint + 1 END
              FROM room, held WHERE room_id = $1
              RETURNING seen_from_seq)
            INSERT INTO room_member (room_id, account_id, role, sees_all, muted_until, last_sent_at)
            SELECT $1, $2::bigint, 'member', seen_from_seq = 1,
              (SELECT until FROM room_mute WHERE room_id = $1 AND account_id = $2::bigint),
              (SELECT now() FROM member_span
                WHERE room_id = $1 AND account_id = $2::bigint AND to_rev IS NOT NULL LIMIT 1)
            FROM span
            """)
        .execute(numbered(locked, member))
        .map(
            rows -> {
              if (rows.rowCount() == 0) {
                throw noSuchAccount();
              }
              return null;
            });
  }

  /// Ends a membership with the next rev.
  Future<Void> delete(LockedRoom locked, AccountId member) {
    return locked
        .transaction()
        .preparedQuery(
            """
            WITH span AS (
              UPDATE member_span SET to_rev = $3, seen_to_seq = $4
              WHERE room_id = $1 AND account_id = $2 AND to_rev IS NULL)
            DELETE FROM room_member WHERE room_id = $1 AND account_id = $2
            """)
        .execute(numbered(locked, member))
        .mapEmpty();
  }

  private static Tuple numbered(LockedRoom locked, AccountId member) {
    return Tuple.of(
        locked.id().value(),
        member.value(),
        locked.facts().next().value(),
        locked.position().seq().value());
  }

  /// How many of these accounts exist and are not removed, nor will be before the transaction
  /// ends: the removal of an account ends only the memberships that it finds.
  Future<Integer> holdAccounts(SqlClient transaction, List<AccountId> accounts) {
    return transaction
        .preparedQuery(
            """
            SELECT count(*)::int AS known FROM (
              SELECT FROM account WHERE account_id = ANY ($1) AND removed_at IS NULL
              ORDER BY account_id FOR SHARE) AS held
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(accounts.stream().map(AccountId::value).toArray(Long[]::new)))
        .map(rows -> rows.iterator().next().getInteger("known"));
  }

  Future<Optional<Member>> find(SqlClient client, RoomId room, AccountId member) {
    return client
        .preparedQuery(VIEW + "WHERE m.room_id = $1 AND m.account_id = $2")
        .mapping(MemberStore::member)
        .execute(Tuple.of(room.value(), member.value()))
        .map(rows -> rows.stream().findFirst());
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

  private static Member member(Row row) {
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

  /// A member of a locked room. Refusal: `not_found`.
  Future<Member> require(LockedRoom locked, AccountId member) {
    return find(locked.transaction(), locked.id(), member)
        .map(found -> found.orElseThrow(MemberStore::noSuchMember));
  }

  static Refusal noSuchMember() {
    return new Refusal(ErrorCode.NOT_FOUND, "not a member of this room");
  }

  /// As [#holdAccounts]. Refusal: `not_found`.
  Future<Void> requireAccount(SqlClient transaction, AccountId account) {
    return holdAccounts(transaction, List.of(account))
        .map(
            known -> {
              if (known == 0) {
                throw noSuchAccount();
              }
              return null;
            });
  }

  private static Refusal noSuchAccount() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such account");
  }

  /// Owners are not muted.
  Future<Void> setRole(LockedRoom locked, AccountId member, Role role) {
    return locked
        .transaction()
        .preparedQuery(
            """
            WITH mute AS (
              DELETE FROM room_mute WHERE room_id = $1 AND account_id = $2 AND $3 = 'owner')
            UPDATE room_member
            SET role = $3, muted_until = CASE WHEN $3 = 'owner' THEN NULL ELSE muted_until END
            WHERE room_id = $1 AND account_id = $2
            """)
        .execute(Tuple.of(locked.id().value(), member.value(), role.wire()))
        .mapEmpty();
  }

  /// Who would own the room without the caller: of the others the oldest owner, else the oldest
  /// admin, else the oldest member. Nobody when the caller is no owner, or is alone.
  Future<Optional<Member>> heir(LockedRoom locked) {
    return locked.room().role() != Role.OWNER
        ? Future.succeededFuture(Optional.empty())
        : locked
            .transaction()
            .preparedQuery(
                VIEW
                    + """
                    WHERE m.room_id = $1 AND m.account_id = (
                      SELECT account_id FROM room_member WHERE room_id = $1 AND account_id <> $2
                      ORDER BY role = 'owner' DESC, role = 'admin' DESC, joined_at, account_id
                      LIMIT 1)
                    """)
            .mapping(MemberStore::member)
            .execute(Tuple.of(locked.id().value(), locked.caller().value()))
            .map(rows -> rows.stream().findFirst());
  }

  static @Nullable Role role(@Nullable String stored) {
    return stored == null ? null : WireName.of(Role.class, stored);
  }
}
