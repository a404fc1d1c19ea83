package io.confab.room;

import io.confab.config.WireName;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.room.RoomCommand.Channel;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Rooms in PostgreSQL: table `room`, seen with their positions and one account's role.
public final class RoomStore {
  private static final String VIEW =
      """
      SELECT r.room_id, r.type, r.name, r.description, r.history, r.direct_low, r.direct_high,
        r.member_count, r.max_members, r.archived_at, p.slow_mode_s, p.last_seq, p.last_rev,
        m.role, i.epoch,
        m.role IS NULL AND EXISTS (
          SELECT FROM room_ban b WHERE b.room_id = r.room_id AND b.account_id = $1) AS banned
      FROM instance i
      CROSS JOIN room r
      JOIN room_position p USING (room_id)
      """;

  private final Database database;

  public RoomStore(Database database) {
    this.database = database;
  }

  /// Adds a room without members or changes; false when its name is taken or, of a direct room,
  /// when it exists. Waits for a transaction that is making the same.
  Future<Boolean> insert(SqlClient transaction, NewRoom room) {
    boolean direct = room.type() == RoomType.DIRECT;
    RoomSettings settings = room.settings();
    String name = settings.name();
    HistoryRule history = Objects.requireNonNullElse(settings.history(), HistoryRule.ALL);
    return transaction
        .preparedQuery(
            """
            WITH added AS (
              INSERT INTO room
                (room_id, type, name, name_key, description, history,
                 direct_low, direct_high, member_count, max_members)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, nullif($10::bigint, 0))
              ON CONFLICT DO NOTHING RETURNING room_id)
            INSERT INTO room_position (room_id, slow_mode_s)
            SELECT room_id, $11::integer FROM added
            """)
        .execute(
            Tuple.tuple()
                .addLong(room.id().value())
                .addString(room.type().wire())
                .addString(name)
                .addString(
                    room.type() == RoomType.CHANNEL && name != null ? ChannelName.key(name) : null)
                .addString(settings.description())
                .addString(history.wire())
                .addLong(direct ? low(room.members()) : null)
                .addLong(direct ? high(room.members()) : null)
                .addLong((long) room.members().size())
                .addLong(settings.maxMembers())
                .addInteger(Objects.requireNonNullElse(settings.slowModeS(), 0)))
        .map(rows -> rows.rowCount() == 1);
  }

  /// The direct room of two accounts as the caller sees it.
  Future<Optional<Room>> findDirect(SqlClient client, AccountId caller, List<AccountId> pair) {
    return client
        .preparedQuery(
            VIEW
                + """
                JOIN room_member m ON m.room_id = r.room_id AND m.account_id = $1
                WHERE r.direct_low = $2 AND r.direct_high = $3
                """)
        .mapping(row -> room(row, caller))
        .execute(Tuple.of(caller.value(), low(pair), high(pair)))
        .map(rows -> rows.stream().findFirst());
  }

  /// A room as an account sees it, whether or not it may: without a role when the account is
  /// no member.
  Future<Optional<SeenRoom>> find(SqlClient client, AccountId caller, RoomId room) {
    return client
        .preparedQuery(
            VIEW
                + """
                LEFT JOIN room_member m ON m.room_id = r.room_id AND m.account_id = $1
                WHERE r.room_id = $2
                """)
        .mapping(row -> new SeenRoom(room(row, caller), row.getBoolean("banned")))
        .execute(Tuple.of(caller.value(), room.value()))
        .map(rows -> rows.stream().findFirst());
  }

  /// What the caller of a change sees of the room now.
  Future<Outcome<Room>> seenAfter(LockedRoom locked, List<NumberedChange> changes) {
    return find(locked.transaction(), locked.caller(), locked.id())
        .map(seen -> NumberedChange.outcome(seen.orElseThrow().room(), changes));
  }

  Future<Optional<SeenRoom>> find(AccountId caller, RoomId room) {
    return find(database.client(), caller, room);
  }

  /// The rooms of an account by id.
  Future<List<Room>> list(AccountId caller, @Nullable RoomId after, int limit) {
    return database
        .client()
        .preparedQuery(
            VIEW
                + """
                JOIN room_member m ON m.room_id = r.room_id
                WHERE m.account_id = $1 AND m.room_id > $2 ORDER BY m.room_id LIMIT $3
                """)
        .mapping(row -> room(row, caller))
        .execute(Tuple.of(caller.value(), after == null ? -1 : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }

  /// A channel with the key by which lists of channels go on.
  record FoundChannel(Channel channel, String key) {}

  /// Channels that the caller may join, by the key of their names.
  Future<List<FoundChannel>> findChannels(
      AccountId caller, String keyPart, String afterKey, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT room_id, name, name_key, description, member_count FROM room
            WHERE name_key > $1 AND name_key LIKE $2 AND archived_at IS NULL
              AND NOT EXISTS (SELECT FROM room_ban b
                WHERE b.room_id = room.room_id AND b.account_id = $4)
            ORDER BY name_key LIMIT $3
            """)
        .mapping(
            row ->
                new FoundChannel(
                    new Channel(
                        new RoomId(row.getLong("room_id")),
                        row.getString("name"),
                        row.getString("description"),
                        row.getLong("member_count")),
                    row.getString("name_key")))
        .execute(Tuple.of(afterKey, "%" + escaped(keyPart) + "%", limit, caller.value()))
        .map(rows -> rows.stream().toList());
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
  }

  /// Counts members in or out; the room is locked.
  Future<Void> addToCount(LockedRoom locked, int difference) {
    return locked
        .transaction()
        .preparedQuery("UPDATE room SET member_count = member_count + $2 WHERE room_id = $1")
        .execute(Tuple.of(locked.id().value(), (long) difference))
        .mapEmpty();
  }

  /// Makes sure that it is known whether one of a new direct room blocks the other, and that who
  /// blocks from now on finds the room.
  Future<Void> lookAtBlocks(SqlClient transaction, NewRoom room) {
    return transaction
        .preparedQuery("SELECT lock_pair($1, $2)")
        .execute(Tuple.of(low(room.members()), high(room.members())))
        .compose(
            _ ->
                transaction
                    .preparedQuery(
                        """
                        UPDATE room_position SET blocked = true
                        WHERE room_id = $1 AND is_blocked($2, $3)
                        """)
                    .execute(
                        Tuple.of(room.id().value(), low(room.members()), high(room.members()))))
        .mapEmpty();
  }

  /// Some room of the account.
  Future<Optional<RoomId>> anyOf(AccountId account) {
    return database
        .client()
        .preparedQuery("SELECT room_id FROM room_member WHERE account_id = $1 LIMIT 1")
        .mapping(row -> new RoomId(row.getLong("room_id")))
        .execute(Tuple.of(account.value()))
        .map(rows -> rows.stream().findFirst());
  }

  /// False when a channel has the name.
  Future<Boolean> update(LockedRoom locked, RoomSettings settings) {
    String name = settings.name();
    return (name == null ? Future.succeededFuture(true) : rename(locked, name))
        .compose(free -> free ? set(locked, settings).map(true) : Future.succeededFuture(false));
  }

  private static Future<Boolean> rename(LockedRoom locked, String name) {
    return locked
        .transaction()
        .preparedQuery("SELECT rename_room($1, $2, $3) AS free")
        .execute(Tuple.of(locked.id().value(), name, ChannelName.key(name)))
        .map(rows -> rows.iterator().next().getBoolean("free"));
  }

  private static Future<Void> set(LockedRoom locked, RoomSettings settings) {
    HistoryRule history = settings.history();
    return locked
        .transaction()
        .preparedQuery(
            """
            WITH position AS (
              UPDATE room_position SET slow_mode_s = coalesce($4::integer, slow_mode_s)
              WHERE room_id = $1)
            UPDATE room
            SET description = nullif(coalesce($2::text, description), ''),
                history = coalesce($3::text, history),
                max_members = nullif(coalesce($5::bigint, max_members), 0)
            WHERE room_id = $1
            """)
        .execute(
            Tuple.tuple()
                .addLong(locked.id().value())
                .addString(settings.description())
                .addString(history == null ? null : history.wire())
                .addInteger(settings.slowModeS())
                .addLong(settings.maxMembers()))
        .mapEmpty();
  }

  Future<Void> archive(LockedRoom locked) {
    return locked
        .transaction()
        .preparedQuery("UPDATE room SET archived_at = now() WHERE room_id = $1")
        .execute(Tuple.of(locked.id().value()))
        .mapEmpty();
  }

  private static Room room(Row row, AccountId caller) {
    int slow = row.getInteger("slow_mode_s");
    OffsetDateTime archivedAt = row.getOffsetDateTime("archived_at");
    return new Room(
        new RoomId(row.getLong("room_id")),
        WireName.of(RoomType.class, row.getString("type")),
        row.getString("name"),
        row.getString("description"),
        peer(row, caller),
        MemberStore.role(row.getString("role")),
        WireName.of(HistoryRule.class, row.getString("history")),
        slow == 0 ? null : slow,
        row.getLong("max_members"),
        row.getLong("member_count"),
        archivedAt == null ? null : archivedAt.toInstant().toEpochMilli(),
        new Epoch(row.getLong("epoch")),
        new Seq(row.getLong("last_seq")),
        new Rev(row.getLong("last_rev")));
  }

  private static @Nullable AccountId peer(Row row, AccountId caller) {
    Long low = row.getLong("direct_low");
    Long high = row.getLong("direct_high");
    if (low == null || high == null) {
      return null;
    }
    return new AccountId(low == caller.value() ? high : low);
  }

  private static long low(List<AccountId> pair) {
    return Math.min(pair.getFirst().value(), pair.getLast().value());
  }

  private static long high(List<AccountId> pair) {
    return Math.max(pair.getFirst().value(), pair.getLast().value());
  }
}
