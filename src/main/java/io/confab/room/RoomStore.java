package io.confab.room;

import io.confab.feed.EventStore;
import io.confab.feed.MessageColumns;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.postgres.Page;
import io.confab.protocol.AccountId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Epoch;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import io.confab.room.RoomCommand.Channel;
import io.confab.room.RoomCommand.ListedRoom;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rooms in PostgreSQL: table `room`, seen with their positions and one account's role.
public final class RoomStore {
  private static final int MOST_WAITING = 20_000;

  private static final String COLUMNS =
      """
      r.room_id, r.type, r.name, r.description, r.history, r.direct_low, r.direct_high,
      r.member_count, has_receipts(r.member_count) AS receipts, r.max_members, r.capacity, r.read_outside,
      r.encryption_suite, r.sealed_from_seq, r.sealed_from_rev, r.expires_in_s,
      r.archived_at, p.slow_mode_s, p.last_seq, p.last_rev,
      m.role, i.epoch
      """;

  private static final String VIEW =
      "SELECT "
          + COLUMNS
          + """
            FROM instance i
            CROSS JOIN room r
            JOIN room_position p USING (room_id)
          """;

  /// Each room with the last message that its member may see, as `HistoryStore` reads it. A page
  /// ends with the message that reaches its bytes; `found` is how many rooms there were for it.
  /// Each `LIMIT 1` makes PostgreSQL look by key, however many rooms it thinks an account has:
  /// joins in the order of rooms would pass all before the page.
  static final String LIST =
      """
      SELECT c.* FROM (
        SELECT l.*, count(*) OVER () AS found,
          sum(coalesce(octet_length(l.body), 0)) OVER (ORDER BY l.room_id)
            - coalesce(octet_length(l.body), 0) AS bytes_before
        FROM (SELECT
      """
          + COLUMNS
          + """
              , l.seq, l.rev, l.changed_rev, l.sender_id, l.client_id, l.msg_type, l.body, l.reply_to,
                l.topic, l.mentions, l.ts, l.edited_at, l.deleted_at, l.deleted_by,
                k.read_seq, k.unread_from, u.unread, u.mentions AS unread_mentions
                FROM instance i
                CROSS JOIN (
                  SELECT * FROM room_member
                   WHERE account_id = $1 AND room_id > $2 ORDER BY room_id LIMIT $3) m
                CROSS JOIN LATERAL (SELECT * FROM room WHERE room_id = m.room_id LIMIT 1) r
                CROSS JOIN LATERAL (
                  SELECT * FROM room_position WHERE room_id = m.room_id LIMIT 1) p
                LEFT JOIN LATERAL (
                  SELECT * FROM message WHERE room_id = m.room_id AND seq =
                    CASE WHEN m.sees_all THEN least(p.last_seq, r.sealed_from_seq - 1) ELSE (
                      SELECT max(least(coalesce(s.seen_to_seq, p.last_seq), r.sealed_from_seq - 1))
                      FROM member_span s
                      WHERE s.room_id = m.room_id AND s.account_id = m.account_id
                        AND s.seen_from_seq
                          <= least(coalesce(s.seen_to_seq, p.last_seq), r.sealed_from_seq - 1)) END
                   LIMIT 1) l ON true
                CROSS JOIN LATERAL (
                  SELECT * FROM marker
                   WHERE account_id = m.account_id AND room_id = m.room_id LIMIT 1) k
                CROSS JOIN LATERAL unread_at(m.account_id, m.room_id,
                  least(k.read_seq, k.unread_from - 1), k.ordinal, k.own) u) l) c
          WHERE c.bytes_before < $4 ORDER BY c.room_id
          """;

  private static final String SEEN =
      "SELECT asked.caller, "
          + COLUMNS
          + """
          , room_tag(r, p) AS tag, m.role IS NULL AND EXISTS (
              SELECT FROM room_ban b
               WHERE b.room_id = r.room_id AND b.account_id = asked.caller) AS banned
            FROM unnest($1::bigint[], $2::bigint[]) AS asked (caller, room)
            CROSS JOIN instance i
            JOIN room r ON r.room_id = asked.room
            JOIN room_position p USING (room_id)
            LEFT JOIN room_member m ON m.room_id = asked.room AND m.account_id = asked.caller
          """;

  private final Database database;
  private final BatchedRead<Asked, Map<Asked, SeenRoom>> seen;

  private record Asked(AccountId caller, RoomId room) {}

  public RoomStore(Database database) {
    this.database = database;
    this.seen = new BatchedRead<>(MOST_WAITING, this::read);
  }

  /// The direct room of two accounts as the caller sees it.
  Future<Optional<Room>> findDirect(AccountId caller, List<AccountId> pair) {
    return database
        .client()
        .preparedQuery(
            VIEW
                + """
                JOIN room_member m ON m.room_id = r.room_id AND m.account_id = $1
                WHERE r.direct_low = $2 AND r.direct_high = $3
                """)
        .mapping(row -> room(row, caller))
        .execute(Tuple.of(caller.value(), low(pair), high(pair)))
        .map(rows -> rows.stream().findFirst())
        .onSuccess(found -> found.ifPresent(room -> database.epochs().saw(room.epoch())));
  }

  /// Finds a room for an account, also one that the account may not see: the role is empty when the
  /// account is no member. One statement serves all calls made at the same time. Refusal:
  /// `unavailable`, when too many wait.
  Future<Optional<SeenRoom>> find(AccountId caller, RoomId room) {
    Asked asked = new Asked(caller, room);
    return seen.read(List.of(asked)).map(all -> Optional.ofNullable(all.get(asked)));
  }

  private Future<Map<Asked, SeenRoom>> read(List<Asked> all) {
    return database
        .client()
        .preparedQuery(SEEN)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(
                    all.stream().map(asked -> asked.caller().value()).toArray(Long[]::new))
                .addArrayOfLong(
                    all.stream().map(asked -> asked.room().value()).toArray(Long[]::new)))
        .onSuccess(database.epochs()::sawIn)
        .map(rows -> rows.stream().collect(Collectors.toMap(RoomStore::asked, RoomStore::seen)));
  }

  private static Asked asked(Row row) {
    return new Asked(new AccountId(row.getLong("caller")), new RoomId(row.getLong("room_id")));
  }

  private static SeenRoom seen(Row row) {
    return new SeenRoom(
        room(row, asked(row).caller()),
        new EntityTag(row.getString("tag")),
        row.getBoolean("banned"));
  }

  /// The rooms of an account by id.
  Future<Page<ListedRoom, RoomId>> list(AccountId caller, @Nullable RoomId after, int limit) {
    return database
        .client()
        .preparedQuery(LIST)
        .execute(
            Tuple.of(
                caller.value(),
                after == null ? -1 : after.value(),
                limit + 1,
                EventStore.PAGE_BYTES))
        .onSuccess(database.epochs()::sawIn)
        .map(
            rows -> {
              MessageColumns messages = MessageColumns.of(rows);
              List<ListedRoom> rooms =
                  rows.stream().limit(limit).map(row -> listed(row, caller, messages)).toList();
              boolean isLast =
                  rooms.isEmpty() || rows.iterator().next().getLong("found") == rooms.size();
              return new Page<>(rooms, isLast ? null : rooms.getLast().room().roomId());
            });
  }

  private static ListedRoom listed(Row row, AccountId caller, MessageColumns messages) {
    return new ListedRoom(
        room(row, caller),
        new Seq(row.getLong("read_seq")),
        unreadFrom(row.getLong("unread_from")),
        row.getLong("unread"),
        row.getLong("unread_mentions"),
        messages.isIn(row) ? messages.read(row) : null);
  }

  private static @Nullable Seq unreadFrom(@Nullable Long stored) {
    return stored == null ? null : new Seq(stored);
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

  /// Some room of the account.
  Future<Optional<RoomId>> anyOf(AccountId account) {
    return database
        .client()
        .preparedQuery("SELECT room_id FROM room_member WHERE account_id = $1 LIMIT 1")
        .mapping(row -> new RoomId(row.getLong("room_id")))
        .execute(Tuple.of(account.value()))
        .map(rows -> rows.stream().findFirst());
  }

  private static Room room(Row row, AccountId caller) {
    int slow = row.getInteger("slow_mode_s");
    OffsetDateTime archivedAt = row.getOffsetDateTime("archived_at");
    Integer capacity = archivedAt == null ? row.getInteger("capacity") : null;
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
        capacity,
        capacity == null ? null : row.getBoolean("read_outside"),
        row.getLong("member_count"),
        row.getBoolean("receipts"),
        encryption(row),
        row.getInteger("expires_in_s"),
        archivedAt == null ? null : archivedAt.toInstant().toEpochMilli(),
        new Epoch(row.getLong("epoch")),
        new Seq(row.getLong("last_seq")),
        new Rev(row.getLong("last_rev")));
  }

  private static Room.@Nullable Encryption encryption(Row row) {
    String suite = row.getString("encryption_suite");
    return suite == null
        ? null
        : new Room.Encryption(
            suite,
            new Seq(row.getLong("sealed_from_seq")),
            new Rev(row.getLong("sealed_from_rev")));
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
