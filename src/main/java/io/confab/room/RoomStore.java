package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.room.RoomCommand.Channel;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Rooms in PostgreSQL: table `room`, seen with their positions and one account's role.
public final class RoomStore {
  private static final String VIEW =
      """
      SELECT r.room_id, r.type, r.name, r.description, r.history, r.direct_low, r.direct_high,
        r.member_count, r.archived_at, p.last_seq, p.last_rev, m.role, i.epoch
      FROM instance i
      CROSS JOIN room r
      JOIN room_position p USING (room_id)
      """;

  private final Database database;

  public RoomStore(Database database) {
    this.database = database;
  }

  /// Adds a room without members or changes; false when its name is taken or, of a direct room,
  /// when it exists. Waits for one who is just making the same.
  Future<Boolean> insert(SqlClient transaction, NewRoom room) {
    boolean direct = room.type() == RoomType.DIRECT;
    String name = room.name();
    return transaction
        .preparedQuery(
            """
            WITH added AS (
              INSERT INTO room
                (room_id, type, name, name_key, description, history,
                 direct_low, direct_high, member_count)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING room_id)
            INSERT INTO room_position (room_id) SELECT room_id FROM added
            """)
        .execute(
            Tuple.tuple()
                .addLong(room.id().value())
                .addString(room.type().wire())
                .addString(name)
                .addString(
                    room.type() == RoomType.CHANNEL && name != null ? ChannelName.key(name) : null)
                .addString(room.description())
                .addString(room.history().wire())
                .addLong(direct ? low(room.members()) : null)
                .addLong(direct ? high(room.members()) : null)
                .addLong((long) room.members().size()))
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
        .execute(Tuple.of(caller.value(), low(pair), high(pair)))
        .map(rows -> rooms(rows, caller).stream().findFirst());
  }

  /// A room as an account sees it, whether or not it may: without a role for one who is no
  /// member.
  Future<Optional<Room>> find(SqlClient client, AccountId caller, RoomId room) {
    return client
        .preparedQuery(
            VIEW
                + """
                LEFT JOIN room_member m ON m.room_id = r.room_id AND m.account_id = $1
                WHERE r.room_id = $2
                """)
        .execute(Tuple.of(caller.value(), room.value()))
        .map(rows -> rooms(rows, caller).stream().findFirst());
  }

  Future<Optional<Room>> find(AccountId caller, RoomId room) {
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
        .execute(Tuple.of(caller.value(), after == null ? -1 : after.value(), limit))
        .map(rows -> rooms(rows, caller));
  }

  /// A channel with the key by which lists of channels go on.
  record FoundChannel(Channel channel, String key) {}

  /// Channels that can be joined, by the key of their names.
  Future<List<FoundChannel>> findChannels(String keyPart, String afterKey, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT room_id, name, name_key, description, member_count FROM room
            WHERE name_key > $1 AND name_key LIKE $2 AND archived_at IS NULL
            ORDER BY name_key LIMIT $3
            """)
        .execute(Tuple.of(afterKey, "%" + escaped(keyPart) + "%", limit))
        .map(
            rows ->
                StreamSupport.stream(rows.spliterator(), false)
                    .map(
                        row ->
                            new FoundChannel(
                                new Channel(
                                    new RoomId(row.getLong("room_id")),
                                    row.getString("name"),
                                    row.getString("description"),
                                    row.getLong("member_count")),
                                row.getString("name_key")))
                    .toList());
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
  }

  /// Counts members in or out; the room is locked.
  Future<Void> addToCount(SqlClient transaction, RoomId room, int difference) {
    return transaction
        .preparedQuery("UPDATE room SET member_count = member_count + $2 WHERE room_id = $1")
        .execute(Tuple.of(room.value(), (long) difference))
        .mapEmpty();
  }

  Future<Void> archive(SqlClient transaction, RoomId room) {
    return transaction
        .preparedQuery("UPDATE room SET archived_at = now() WHERE room_id = $1")
        .execute(Tuple.of(room.value()))
        .mapEmpty();
  }

  private List<Room> rooms(RowSet<Row> rows, AccountId caller) {
    return StreamSupport.stream(rows.spliterator(), false).map(row -> room(row, caller)).toList();
  }

  private static Room room(Row row, AccountId caller) {
    OffsetDateTime archivedAt = row.getOffsetDateTime("archived_at");
    return new Room(
        new RoomId(row.getLong("room_id")),
        RoomType.valueOf(row.getString("type").toUpperCase(Locale.ROOT)),
        row.getString("name"),
        row.getString("description"),
        peer(row, caller),
        MemberStore.role(row.getString("role")),
        HistoryRule.read("history", row.getString("history")),
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
