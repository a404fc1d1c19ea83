package io.confab.presence;

import io.confab.postgres.Database;
import io.confab.presence.PresenceCommand.FoundRoom;
import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.RoomId;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What PostgreSQL keeps of presence: who may know of whom, what accounts say of themselves (both
/// in `account`), the log of their coming and going (`presence_event`) and what became of each last
/// (`last_seen`).
final class PresenceStore {
  /// A change of a text has a version from before its commit, so a look counts as older than it is.
  private static final String LOOK =
      """
      SELECT p.n, NOT presence_hidden(a.account_id, p.viewer_id) AS presence,
             lets_see(a.last_seen_visible_to, a.account_id, p.viewer_id) AS last_seen,
             (extract(epoch FROM l.at) * 1000)::bigint AS seen_at,
             coalesce(a.status_text, '') AS text,
             (extract(epoch FROM now() - interval '5 s') * 1000000)::bigint AS text_version
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS p (viewer_id, account_id, n)
        JOIN account a USING (account_id) LEFT JOIN last_seen l USING (account_id)
      """;

  /// Transitions of one account in the log of a day of UTC; about as many more may come of nodes
  /// that write at the same time.
  static final int MOST_LOGGED = 1_000;

  private final Database database;

  PresenceStore(Database database) {
    this.database = database;
  }

  /// In the order of the pairs.
  Future<List<Sight>> look(List<AccountId> viewers, List<AccountId> accounts) {
    return database
        .client()
        .preparedQuery(LOOK)
        .execute(Tuple.tuple().addArrayOfLong(ids(viewers)).addArrayOfLong(ids(accounts)))
        .map(
            rows -> {
              Sight[] sights = new Sight[accounts.size()];
              Arrays.fill(sights, Sight.NOTHING);
              rows.forEach(row -> sights[row.getInteger("n") - 1] = sight(row));
              return List.of(sights);
            });
  }

  private static Sight sight(Row row) {
    boolean presence = row.getBoolean("presence");
    return new Sight(
        presence,
        presence && row.getBoolean("last_seen"),
        row.getLong("seen_at"),
        row.getString("text"),
        row.getLong("text_version"));
  }

  /// What became of accounts last, as far as it was written; of others nothing is known.
  Future<Map<AccountId, PresenceStatus>> last(List<AccountId> accounts) {
    return database
        .client()
        .preparedQuery("SELECT account_id, status FROM last_seen WHERE account_id = ANY ($1)")
        .execute(Tuple.tuple().addArrayOfLong(ids(accounts)))
        .map(
            rows -> {
              Map<AccountId, PresenceStatus> last = new HashMap<>();
              rows.forEach(
                  row ->
                      last.put(
                          new AccountId(row.getLong("account_id")),
                          WireName.of(PresenceStatus.class, row.getString("status"))));
              return last;
            });
  }

  /// Changes what an account says of itself; answers the version of that.
  ///
  /// @param text empty: nothing
  /// @param lost as of [Database#change]
  Future<Long> changeText(AccountId account, String text, Supplier<Future<Void>> lost) {
    return database
        .change(
            """
            UPDATE account SET status_text = nullif($2, '') WHERE account_id = $1
            RETURNING (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS version
            """,
            Tuple.of(account.value(), text),
            lost)
        .map(rows -> rows.stream().map(row -> row.getLong("version")).findFirst().orElse(0L));
  }

  /// Sets the status of all sessions of an account; answers which word of that kind it is. Sessions
  /// that were not told compare the number.
  ///
  /// @param lost as of [Database#change]
  Future<Long> choose(AccountId account, PresenceStatus status, Supplier<Future<Void>> lost) {
    return database
        .change(
            """
            INSERT INTO account_changes AS c (account_id, chosen, status) VALUES ($1, 1, $2)
            ON CONFLICT (account_id) DO UPDATE SET chosen = c.chosen + 1, status = excluded.status
            RETURNING c.chosen
            """,
            Tuple.of(account.value(), status.wire()),
            lost)
        .map(rows -> rows.iterator().next().getLong("chosen"));
  }

  /// Rooms with their members, if those are few; rooms that are not there are left out.
  ///
  /// @param viewer of whose rooms alone; null: of all
  Future<List<FoundRoom>> rooms(@Nullable AccountId viewer, List<RoomId> rooms) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT r.room_id, r.member_count,
                   CASE WHEN r.member_count <= $3 THEN ARRAY(
                     SELECT m.account_id FROM room_member m WHERE m.room_id = r.room_id) END AS members
              FROM room r
             WHERE r.room_id = ANY ($1)
               AND ($2::bigint IS NULL OR EXISTS (
                 SELECT FROM room_member m WHERE m.room_id = r.room_id AND m.account_id = $2))
            """)
        .mapping(PresenceStore::room)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(rooms.stream().map(RoomId::value).toArray(Long[]::new))
                .addValue(viewer == null ? null : viewer.value())
                .addLong((long) FoundRoom.MOST_NAMED))
        .map(found -> found.stream().toList());
  }

  private static FoundRoom room(Row row) {
    Long[] members = row.getArrayOfLongs("members");
    return new FoundRoom(
        new RoomId(row.getLong("room_id")),
        row.getLong("member_count"),
        members == null ? List.of() : Arrays.stream(members).map(AccountId::new).toList());
  }

  /// Whether viewers are members of rooms, in the order of the pairs.
  Future<List<Boolean>> memberships(List<AccountId> viewers, List<RoomId> rooms) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT EXISTS (SELECT FROM room_member m
                            WHERE m.room_id = p.room_id AND m.account_id = p.viewer_id) AS member
              FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS p (viewer_id, room_id, n)
             ORDER BY p.n
            """)
        .mapping(row -> row.getBoolean("member"))
        .execute(
            Tuple.tuple()
                .addArrayOfLong(ids(viewers))
                .addArrayOfLong(rooms.stream().map(RoomId::value).toArray(Long[]::new)))
        .map(found -> found.stream().toList());
  }

  /// A member of a room who does not hide from all.
  ///
  /// @param hiddenFrom whom of the members it blocked
  record Shown(AccountId account, List<AccountId> hiddenFrom) {}

  /// Some members of a room who do not hide from all, by id.
  ///
  /// @param after an account; null: from the beginning
  Future<List<Shown>> shown(RoomId room, @Nullable AccountId after, int limit) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT m.account_id,
                   (SELECT array_agg(b.blocked_id)
                      FROM block b JOIN room_member o
                        ON o.room_id = m.room_id AND o.account_id = b.blocked_id
                     WHERE b.account_id = m.account_id) AS blocked
              FROM room_member m JOIN account a USING (account_id)
             WHERE m.room_id = $1 AND a.presence_visible_to <> 'nobody'
               AND ($2::bigint IS NULL OR m.account_id > $2)
             ORDER BY m.account_id LIMIT $3
            """)
        .mapping(
            row -> {
              Long[] blocked = row.getArrayOfLongs("blocked");
              return new Shown(
                  new AccountId(row.getLong("account_id")),
                  blocked == null
                      ? List.of()
                      : Arrays.stream(blocked).map(AccountId::new).toList());
            })
        .execute(Tuple.of(room.value(), after == null ? null : after.value(), limit))
        .map(rows -> rows.stream().toList());
  }

  /// Writes transitions to the log, but no more than [#MOST_LOGGED], and what became of each
  /// account last.
  Future<Void> write(List<PresenceLog.Entry> entries) {
    List<Transition> transitions = column(entries, PresenceLog.Entry::of);
    return database
        .client()
        .preparedQuery(
            """
            WITH told AS (
              SELECT t.*, (at AT TIME ZONE 'UTC')::date AS day,
                     row_number() OVER (
                       PARTITION BY account_id, (at AT TIME ZONE 'UTC')::date ORDER BY at, n)
                       AS nth
                FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[])
                  WITH ORDINALITY AS t (account_id, at, status, node, n)),
            before AS (
              SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, logged
                FROM last_seen WHERE account_id = ANY ($1)),
            logged AS (
              INSERT INTO presence_event (account_id, at, node, status)
              SELECT account_id, at, node, status FROM told LEFT JOIN before USING (account_id, day)
               WHERE coalesce(logged, 0) + nth <= $5)
            INSERT INTO last_seen AS l (account_id, at, status, logged)
            SELECT DISTINCT ON (account_id) account_id, at, status, nth FROM told
             ORDER BY account_id, at DESC, n DESC
            ON CONFLICT (account_id) DO UPDATE
               SET at = EXCLUDED.at, status = EXCLUDED.status,
                   logged = EXCLUDED.logged
                     + CASE WHEN (l.at AT TIME ZONE 'UTC')::date
                                   = (EXCLUDED.at AT TIME ZONE 'UTC')::date
                            THEN l.logged ELSE 0 END
             WHERE l.at <= EXCLUDED.at
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(ids(column(transitions, Transition::account)))
                .addArrayOfOffsetDateTime(
                    column(transitions, PresenceStore::time).toArray(OffsetDateTime[]::new))
                .addArrayOfString(
                    column(transitions, each -> each.status().wire()).toArray(String[]::new))
                .addArrayOfString(column(entries, each -> each.by().value()).toArray(String[]::new))
                .addInteger(MOST_LOGGED))
        .mapEmpty();
  }

  private static OffsetDateTime time(Transition transition) {
    return Instant.ofEpochMilli(transition.at()).atOffset(ZoneOffset.UTC);
  }

  private static <E, T> List<T> column(List<E> entries, Function<E, T> field) {
    List<T> column = new ArrayList<>(entries.size());
    entries.forEach(each -> column.add(field.apply(each)));
    return column;
  }

  private static Long[] ids(List<AccountId> accounts) {
    return accounts.stream().map(AccountId::value).toArray(Long[]::new);
  }

  /// Makes and drops the partitions of the log.
  ///
  /// @param retention whole days
  Future<Void> keepPartitions(Duration retention) {
    return database
        .client()
        .preparedQuery("SELECT keep_presence_events($1)")
        .execute(Tuple.of((int) retention.toDays()))
        .mapEmpty();
  }
}
